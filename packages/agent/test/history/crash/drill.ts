import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { outlineOf } from "../../../src/history/outline.ts";
import { problemOf, summariesIn, tokensOf } from "../support.ts";
import { branch, conversation, prepare, window, work } from "./work.ts";

const runner = fileURLToPath(new URL("runner.ts", import.meta.url));
const env = { ...process.env, NODE_COMPILE_CACHE: join(runner, "../../../../node_modules/.compile-cache") };

/**
 * Kills a process of the work at each of these marks, each time with the same conversation before it, goes on in this process, and checks
 * what is left. Returns the names of the marks; one that the work does not reach has none.
 *
 * @throws Error that names the mark
 */
export async function killAt(driver: string, marks: readonly number[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-history-"));
  const struck: string[] = [];
  try {
    const before = join(folder, "before.db");
    const store = await sqliteStore({ path: before });
    await prepare(store, driver);
    const events = await store.load({ conversation });
    await store.close();
    for (const mark of marks) {
      const path = join(folder, `${mark}.db`);
      copyFileSync(before, path);
      const name = await killed(path, driver, mark);
      if (name === undefined) break;
      struck.push(name);
      const left = await sqliteStore({ path });
      try {
        await check(left, driver, events);
      } catch (cause) {
        throw new Error(`${driver}, mark ${mark} (${name}): ${(cause as Error).message}`, { cause });
      } finally {
        await left.close();
      }
    }
    return struck;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Kills a process at a mark, and returns the name of the mark; undefined if it does not reach it. */
async function killed(path: string, driver: string, mark: number): Promise<string | undefined> {
  const child = spawn(process.execPath, [runner, path, driver, String(mark)], {
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  let name: string | undefined;
  createInterface(child.stdout).once("line", (line) => {
    name = line;
    child.kill("SIGKILL");
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (name === undefined && code !== 0) throw new Error(`The process ended with ${code}: ${complaint}`);
  return name;
}

async function check(store: Store, driver: string, before: readonly LogEvent[]): Promise<void> {
  const log = await store.load({ conversation });
  demand(same(log.slice(0, before.length), before), "The events before the work are not what they were.");
  demand(isWhole(log), "A summary stands for events of another number.");
  const fork = await store.load({ conversation: branch });
  // The work may have gone on with it.
  if (fork.length > 0) demand(fork.length >= log.length, `The fork has ${fork.length} of ${log.length} events.`);
  const requests = await work(store, driver);
  for (const request of requests) {
    const problem = problemOf(request);
    demand(problem === undefined, `A request is not valid: ${problem}`);
    demand(tokensOf(request) <= window, `A request has ${tokensOf(request)} tokens.`);
  }
  for (const name of [conversation, branch]) {
    const after = await store.load({ conversation: name });
    demand(summariesIn(after).length === 1, `${name} has ${summariesIn(after).length} summaries.`);
    demand(isWhole(after), "A summary stands for events of another number.");
    const ends = after.findLast((event) => event.type !== "record" || event.kind === "run");
    demand(ends?.type === "record", `${name} does not end with the end of a run.`);
    const prompts = after.filter((event) => event.type === "user" && event.content.startsWith("And")).length;
    demand(prompts === (name === branch ? 2 : 1), `${name} has ${prompts} prompts of the work.`);
  }
  const after = await store.load({ conversation });
  demand(same(after.slice(0, log.length), log), "The events after the kill are not what they were.");
}

/** Whether every summary counts, and each round after it begins where one began without it. */
function isWhole(log: readonly LogEvent[]): boolean {
  const { rounds, summaries } = outlineOf(log);
  return (
    summaries.length === summariesIn(log).length &&
    summaries.every(({ upTo }) => upTo === 0 || rounds.some(({ start }) => start === upTo))
  );
}

function same(a: readonly LogEvent[], b: readonly LogEvent[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}
