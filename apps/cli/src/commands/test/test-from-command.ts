import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { isUnwritableTestError, type WrittenTest, writeTest } from "@cogency/rerun";
import { redactSecrets, type StoredEvent } from "@cogency/storage";
import { redacted } from "../../base/errors/redacted.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { saveFile } from "../../base/files/save-file.ts";
import { note, noteCommand } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { shellWord } from "../../base/terminal/shell-word.ts";
import { counted, oneLine, visible } from "../../base/terminal/text.ts";
import { findConversation, scopeIn } from "../../place/store/find-conversation.ts";
import { readHistory } from "../../place/store/with-history.ts";

export interface TestFromOptions {
  store: string;
  /** The file of the test; by default in the current folder, named after the first prompt. */
  out?: string;
  /** The agent of the test, as `./src/agent.ts#makeAgent`. */
  agent?: string;
  runTools?: true;
  /** `1-3` or `3`: the first three turns. */
  turns?: string;
  /** Whether files may be replaced. */
  force?: true;
}

/**
 * `cogency test from`: writes a vitest file from a conversation, and prints its name.
 *
 * @throws UsageError for a conversation that there is not or that cannot be a test, and files that exist
 */
export async function testFromCommand(wanted: string, options: TestFromOptions): Promise<void> {
  const { store: place, force = false, runTools = false } = options;
  if (runTools && options.agent === undefined) {
    throw new UsageError("--run-tools needs --agent: without it the test has no tools that could run.");
  }
  const turns = options.turns === undefined ? undefined : lastTurn(options.turns);
  if (options.out !== undefined) await checkOut(options.out);
  return readHistory({ store: place }, async (store) => {
    const conversation = await findConversation(wanted, store, place);
    const log = await store.load({ conversation });
    const file = options.out ?? `${slugOf(log)}.test.ts`;
    const dataFile = `${basename(file).replace(/(\.(test|spec))?\.[cm]?[jt]sx?$/, "")}.recorded.json`;
    const agent = options.agent === undefined ? undefined : agentOf(options.agent, file);
    const redact = cleaner(await scopeIn(conversation, store));
    const test = await writeTest(log, { dataFile, redact, runTools, agent, turns }).catch((error: unknown) => {
      if (isUnwritableTestError(error)) throw new UsageError(oneLine(error.message, 1000));
      throw error;
    });
    const beside = resolve(dirname(file), dataFile);
    if (test.data !== undefined) await saveFile("--out", beside, [test.data], force);
    await saveFile("--out", file, [test.source], force);
    await put(`${visible(file)}\n`);
    tell(test, file, agent !== undefined);
  });
}

function tell(test: WrittenTest, file: string, hasAgent: boolean): void {
  note(`${counted(test.turns, "turn")}: ${oneLine(test.title, 200)}`);
  if (hasAgent) note("Your agent was not loaded, so the test has not run yet.");
  if (!test.comparesRequests) {
    note("The log does not hold what the model was asked, so the test does not compare it.");
  }
  note("It needs vitest, @cogency/rerun and @cogency/agent. Run it:");
  noteCommand(`npx vitest run ${shellWord(file)}`);
}

/** @throws UsageError */
async function checkOut(file: string): Promise<void> {
  if (!/\.(test|spec)\.[cm]?tsx?$/.test(file))
    throw new UsageError(
      `--out ${oneLine(file, 200)}: vitest finds tests by names that end in .test.ts; give such a one.`,
    );
  const folder = dirname(resolve(file));
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`--out: there is no folder ${oneLine(folder, 200)}. Make it first.`);
}

/** @throws UsageError */
function lastTurn(text: string): number {
  const [, last] = /^(?:1-)?([1-9]\d{0,5})$/.exec(text) ?? [];
  if (last === undefined) throw new UsageError("--turns: a test begins with the first turn. Give 1-3, or 3.");
  return Number(last);
}

/** @throws UsageError */
function agentOf(text: string, file: string): { module: string; name: string } {
  const [, path, name] = /^([^#]+)#([A-Za-z_$][\w$]*)$/.exec(text) ?? [];
  if (path === undefined || name === undefined) {
    throw new UsageError("--agent: give a module and the name of what it exports, such as ./src/agent.ts#makeAgent.");
  }
  // The name of a package stays as it is.
  if (!/^[./\\]/.test(path)) return { module: path, name };
  const way = relative(dirname(resolve(file)), resolve(path))
    .split(sep)
    .join("/");
  return { module: way.startsWith(".") ? way : `./${way}`, name };
}

/** Takes secrets out of a text, and the folders of this machine. */
function cleaner(root: string | undefined): (text: string) => string {
  const home = homedir();
  const folders: [string, string][] = [
    ...(root === undefined || root === sep
      ? []
      : ([
          [`${root}${sep}`, ""],
          [root, "."],
        ] as [string, string][])),
    ...(home === sep ? [] : ([[home, "~"]] as [string, string][])),
  ];
  return (text) => redacted(redactSecrets(folders.reduce((rest, [path, short]) => rest.replaceAll(path, short), text)));
}

/** A file name from the first words of a person. */
function slugOf(log: readonly StoredEvent[]): string {
  const first = log.find((event) => event.type === "user");
  const words = first?.type === "user" ? redacted(redactSecrets(first.content)) : "";
  const slug = words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .replace(/^(.{20,40})-.*$/, "$1");
  return slug === "" ? "conversation" : slug;
}
