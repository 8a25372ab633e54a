import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  callback,
  checkOptions,
  listOf,
  name,
  type OptionTable,
  recordOf,
  required,
  text,
  wrongOption,
} from "@cogency/protocol/options";
import type { Transport } from "@modelcontextprotocol/client";
import type { Connector } from "../client/connector.ts";
import { hiding } from "../client/text/secrets.ts";
import { programEnvironment } from "./environment.ts";
import { isProgram } from "./find-program.ts";
import { ProgramTransport } from "./program-transport.ts";
import type { Launch } from "./running-program.ts";

export interface ProgramOptions {
  /** A program, not a line for a shell: a path, or a name that is looked up on the PATH. */
  command: string;
  args?: readonly string[] | undefined;
  /** Secrets, such as keys of an API. They are added to what a program needs to start: HOME, LANG, PATH and the like. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The folder it runs in. Defaults to that of this process. */
  cwd?: string | undefined;
  /** Puts another program around it, such as a sandbox: what it returns is started. */
  wrap?: ((launch: Launch) => Launch | Promise<Launch>) | undefined;
}

/**
 * A server that is a program on this machine, over its stdin and stdout. It ends with this process, also when that is killed.
 *
 * @throws TypeError or RangeError that names the option
 */
export function program(options: ProgramOptions): Connector {
  checkOptions<ProgramOptions>("program", options, table);
  const { command, args = [], env = {}, wrap = (launch) => launch } = options;
  // The system's error would hold the text.
  for (const [option, texts] of Object.entries({ command: [command], args, env: Object.entries(env).flat() })) {
    if (texts.some((each) => each.includes("\0")))
      throw wrongOption(RangeError, option, `program: \`${option}\` holds a character U+0000, which no program takes.`);
  }
  const cwd = resolve(options.cwd ?? ".");
  const hide = hiding(Object.values(env));
  async function launch(): Promise<Launch> {
    if (!isFolder(cwd)) throw new Error(`the folder ${cwd} is not there`);
    const wrapped = await wrap({ command, args, cwd, env: programEnvironment(env) });
    if (isProgram(wrapped.command, wrapped.cwd ?? cwd, wrapped.env.PATH)) return wrapped;
    const where = wrapped.command.includes("/") ? `in ${wrapped.cwd ?? cwd}` : "on the PATH";
    throw new Error(`there is no program ${wrapped.command} ${where}`);
  }
  return {
    kind: "program",
    identity: hide(`${[command, ...args].map(quoted).join(" ")} in ${cwd}`),
    hide,
    *transports(opening) {
      // A server of an SDK that ends at a question it does not know gets a second life, in which it is asked as servers were before.
      yield new ProgramTransport(launch, opening, hide) as Transport;
      yield new ProgramTransport(launch, opening, hide) as Transport;
    },
  };
}

const table: OptionTable<ProgramOptions> = {
  command: required(name),
  args: listOf(text, "an array of strings"),
  env: recordOf(text),
  cwd: name,
  wrap: callback,
};

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
