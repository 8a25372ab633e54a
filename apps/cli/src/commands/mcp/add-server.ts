import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { complain } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { quoted } from "../../place/config/quoted.ts";
import { holdsSecret } from "../../place/mcp/holds-secret.ts";
import { serverProblem } from "../../place/mcp/mcp-problem.ts";
import { isProgram, type ServerEntry } from "../../place/mcp/server-entry.ts";
import { makeServers, type ServerView } from "../../work/mcp/servers.ts";
import { stateText } from "../../work/mcp/state-text.ts";
import { isAgreed } from "../is-agreed.ts";
import { type EntryOptions, entryFrom } from "./entry-from.ts";
import { changeServers, type ServerFile, serverFile, serversIn, sharedEntry } from "./server-files.ts";
import { connected } from "./with-servers.ts";

export interface AddOptions extends ServerFile, EntryOptions {
  /** False with `--no-check`. */
  readonly check: boolean;
  readonly yes?: true;
}

/**
 * `cogency mcp add`: connects to a server once, and writes it into the configuration.
 *
 * @param target its address, or its command and the arguments
 * @returns the exit code: 1 if it cannot be reached, or the person does not agree
 * @throws UsageError for a name, a target or a value that cannot be used, and for a name that is taken
 */
export async function addServer(
  name: string,
  target: readonly string[],
  options: AddOptions,
  cancellation: Cancellation,
): Promise<number> {
  const entry = entryFrom(target, options);
  const problem = serverProblem(name, entry, name);
  if (problem !== undefined) throw new UsageError(oneLine(problem, 400));
  checkSecrets(entry);
  const file = serverFile(options);
  checkFree(name, serversIn(options), options);
  if (options.project && !(await agrees(name, entry, file, options))) return exitCodes.unexpected;
  if (options.check) {
    const code = await checked(name, entry, cancellation);
    if (code !== exitCodes.done) return code;
  }
  await changeServers(options, (servers) => {
    checkFree(name, servers, options);
    return { ...servers, [name]: options.project ? sharedEntry(entry) : entry };
  });
  note(`Written to ${file}.`);
  return exitCodes.done;
}

/** @throws UsageError for a name that is taken */
function checkFree(name: string, servers: object, options: ServerFile): void {
  if (!Object.hasOwn(servers, name)) return;
  throw new UsageError(
    `There is a server ${name} in ${oneLine(serverFile(options), 300)}. To replace it, remove it first: cogency mcp remove ${name}${options.project ? " --project" : ""}`,
  );
}

/** A file of a configuration holds no keys: other programs read it, and a project is shared. */
function checkSecrets(entry: ServerEntry): void {
  if (!holdsSecret(entry)) return;
  throw new UsageError(
    `That holds what looks like a key, and a configuration holds none. Keep it with cogency config key set <NAME>, and write '\${NAME}' in its place.`,
  );
}

/** Everybody who works on the project gets what stands in its file. */
async function agrees(name: string, entry: ServerEntry, file: string, { yes }: AddOptions): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError("--project writes into a file of the project. Without a terminal to ask at, add --yes.");
  const line = oneLine(`${name} = ${quoted(entry)}`, 1000);
  const terminal = { input: process.stdin, output: process.stderr };
  return isAgreed([line], terminal, `Write this server into ${oneLine(file, 300)}?`);
}

async function checked(name: string, entry: ServerEntry, cancellation: Cancellation): Promise<number> {
  const placed = { name, entry, place: "new", isOwn: true, folder: undefined, files: new Map<string, string>() };
  const servers = await makeServers([placed], { root: "." });
  try {
    const [view] = await cancellation.during((signal) => connected(servers, signal));
    if (cancellation.exitCode !== exitCodes.done) return cancellation.exitCode;
    if (view === undefined) return exitCodes.unexpected;
    if (view.status === "ready" || view.status === "needs_login") {
      await put(`${name}: ${stateText(view)}\n`);
      return exitCodes.done;
    }
    complain(`${name} was not added: ${stateText(view)}`);
    for (const advice of [...networkAdvice(entry, view), "To add it all the same: --no-check"]) note(advice);
    return exitCodes.unexpected;
  } finally {
    await servers.close();
  }
}

/** A program gets few of the variables here, so one that downloads something may not reach the network as the person does. */
function networkAdvice(entry: ServerEntry, { reason = "" }: ServerView): string[] {
  if (!isProgram(entry) || !ofNetwork.test(reason)) return [];
  const unset = networkVariables.filter((name) => process.env[name] && entry.env?.[name] === undefined);
  const options = unset.map((name) => ` --env '${name}=\${${name}}'`);
  return unset.length === 0
    ? []
    : [`It does not get the variables by which programs reach the network here. To give it them:${options.join("")}`];
}

const ofNetwork = /did not connect|certificate|self.signed|network|proxy|ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN/i;

/** Proxies, and the certificates of those that look into what is sent. */
const networkVariables = [
  ...["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];
