import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type LogEvent, missingResults } from "@cogency/protocol";
import { isPersisted } from "@cogency/protocol/host";
import type { ModelRequest } from "@cogency/provider";
import { sqliteStore } from "@cogency/storage-sqlite";
import { canonicalJson } from "@cogency/tools/host";
import { problemOf } from "../history/support.ts";
import { linesIn } from "../two-processes/files.ts";
import { begunCalls, checkEnd, demand, type Left, same } from "./laws.ts";
import { agentOf, conversation } from "./task.ts";

const runner = fileURLToPath(new URL("runner.ts", import.meta.url));
const env = { ...process.env, NODE_COMPILE_CACHE: join(runner, "../../../node_modules/.compile-cache") };

/** How a conversation goes on whose process was killed. */
export type GoingOn = "recover" | "prompt";

/** What a drill has seen. */
export interface Tally {
  kills: number;
  /** The names of the marks at which a process was killed. */
  stages: Set<string>;
  /** How often a body took effect, in all conversations together. */
  effects: number;
  /** Calls of unknown outcome that a result listed. */
  unknown: number;
}

/** Where processes are killed: the first one at `first`; the one that recovers its task at `second`, if there is one. */
export interface Kills {
  first: number;
  second?: number;
}

/**
 * Kills a process of the task, and checks what the next ones make of it: one that goes on, and one that finds nothing left to do. False
 * if the task does not pass the mark `first`.
 *
 * @throws Error that names the driver and the marks
 */
export async function drill(driver: string, { first, second }: Kills, how: GoingOn, tally: Tally): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-crashes-"));
  const path = join(folder, "store.db");
  const effects = join(folder, "effects");
  const struck: string[] = [];
  const doubtful = new Set<string>();
  try {
    for (const mark of [first, ...(second === undefined ? [] : [second])]) {
      const before = await logIn(path);
      const { name, shown } = await killed(path, effects, driver, mark);
      if (name === undefined && struck.length === 0) return false;
      if (name !== undefined) tally.kills++;
      if (name !== undefined) tally.stages.add(name);
      struck.push(name ?? "the end");
      const log = await logIn(path);
      demand(same(log.slice(0, before.length), before), "The events of the earlier process are not what they were.");
      for (const id of begunCalls(log)) doubtful.add(id);
      const stored = new Set(log.map(textOf));
      const lost = shown.find((event) => isPersisted(event.type) && !stored.has(textOf(event)));
      demand(!lost, `The consumer saw an event that is not stored: ${JSON.stringify(lost)}`);
    }
    const left: Left = { log: await logIn(path), effects: linesIn(effects), doubtful, kills: struck.length };
    await goOn(path, effects, driver, how, left, tally);
    return true;
  } catch (cause) {
    const marks = [first, second].filter((mark) => mark !== undefined).join(" and ");
    throw new Error(`${driver}, ${how}, killed at ${marks} (${struck.join(", ")}): ${(cause as Error).message}`, {
      cause,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function goOn(path: string, effects: string, driver: string, how: GoingOn, left: Left, tally: Tally) {
  const store = await sqliteStore({ path });
  try {
    const requests: ModelRequest[] = [];
    const agent = agentOf(driver, store, effects, () => {}, requests);
    const isBegun = left.log.some(({ type }) => type === "user");
    const recovers = how === "recover" && isBegun;
    const result = await (recovers ? agent.recover({ conversation }).result : agent.ask("Go on.", { conversation }));
    demand(result.status === "completed", `It ends as ${result.status}: ${result.error?.message}`);
    const problem = requests.map(problemOf).find((found) => found !== undefined);
    demand(problem === undefined, `A request is not valid: ${problem}`);
    const log = await store.load({ conversation });
    demand(same(log.slice(0, left.log.length), left.log), "The events after the kill are not what they were.");
    demand(missingResults(log).length === 0, "A call has no result.");
    const done = linesIn(effects);
    checkEnd({ log, effects: done, left, recovers, unknown: result.unknown ?? [] });
    tally.effects += done.length;
    tally.unknown += result.unknown?.length ?? 0;
    await agent.recover({ conversation }).result;
    demand(same(await store.load({ conversation }), log), "Another `recover` has added something.");
    demand(linesIn(effects).length === done.length, "Another `recover` has taken effect.");
  } finally {
    await store.close();
  }
}

/** Kills a process at a mark. Returns the name of the mark, undefined if it does not reach it, and what its consumer got. */
async function killed(path: string, effects: string, driver: string, mark: number) {
  const child = spawn(process.execPath, [runner, path, effects, driver, String(mark)], {
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
  const lines: string[] = [];
  let name: string | undefined;
  createInterface(child.stderr).on("line", (line) => lines.push(line));
  createInterface(child.stdout).once("line", (line) => {
    name = line;
    child.kill("SIGKILL");
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (name === undefined && code !== 0) throw new Error(`The process ended with ${code}: ${lines.join("\n")}`);
  return { name, shown: lines.map((line) => JSON.parse(line) as LogEvent) };
}

/** Without the number that the store has given the event, and in one order of its properties. */
const textOf = (event: LogEvent) => canonicalJson(JSON.parse(JSON.stringify({ ...event, seq: undefined })));

async function logIn(path: string): Promise<LogEvent[]> {
  if (!existsSync(path)) return [];
  const store = await sqliteStore({ path });
  try {
    return await store.load({ conversation });
  } finally {
    await store.close();
  }
}
