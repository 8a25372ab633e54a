import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Store } from "@cogency/storage";
import { type Draw, draw, type Role } from "./draw.ts";
import { files, linesIn } from "./files.ts";
import type { KillPoint } from "./kill-point.ts";
import { checkLaws, type Tally } from "./laws.ts";
import { openStore } from "./open-store.ts";
import type { Sending } from "./plan.ts";

export interface DrillOptions {
  /** Draws what is said, and where the processes are killed. */
  seed: number;
  kills: number;
  /** Of an empty PostgreSQL database. By default the store is a SQLite file. */
  postgres?: string | undefined;
  /** Milliseconds without a message, a payment or a finished conversation after which the processes count as stuck. */
  patience: number;
}

export interface Outcome extends Tally {
  /** By role, the marks that the processes were killed at. */
  struck: Record<Role, string[]>;
  seconds: number;
}

/**
 * Two processes on one store: one runs, the other prompts, steers, answers and cancels. Each is killed at its points and started
 * again, until all kills are done and the sender has finished. Then checks the laws.
 *
 * @throws Error with the seed and the last kills
 */
export async function drill({ seed, kills, postgres, patience }: DrillOptions): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-two-"));
  const address = postgres ?? join(folder, "store.db");
  const { talks, points } = draw(seed, kills);
  writeFileSync(join(folder, files.talks), JSON.stringify(talks));
  const struck: Outcome["struck"] = { runner: [], sender: [] };
  const began = performance.now();
  // Opened first, so that both find its tables.
  const store = await openStore(address);
  try {
    await keepBoth(folder, address, points, patience, (role, mark) => {
      struck[role].push(mark);
      if (struck.runner.length + struck.sender.length === kills) writeFileSync(join(folder, files.enough), "");
    });
    const tally = await checkLaws(store, folder, talks);
    return { ...tally, struck, seconds: (performance.now() - began) / 1000 };
  } catch (cause) {
    const last = [...struck.runner.slice(-3), ...struck.sender.slice(-3)].join(", ");
    const problem = cause instanceof Error ? cause.message : String(cause);
    const done = `${struck.runner.length + struck.sender.length} of ${kills} kills, the last at: ${last}`;
    throw new Error(`KILL_SEED=${seed} after ${done}. ${problem}\n${await unfinished(store, folder)}`, { cause });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The conversations that the sender has not finished: the end of each log, and its inbox. */
async function unfinished(store: Store, folder: string): Promise<string> {
  const begun = linesIn(join(folder, files.journal)).map((line): Sending => JSON.parse(line));
  const finished = linesIn(join(folder, files.finished));
  const lines: string[] = [];
  for (const conversation of new Set(begun.map((sending) => sending.conversation))) {
    if (finished.includes(conversation)) continue;
    const log = await store.load({ conversation }, { last: 12 });
    const events = log.map(({ seq, timestamp: _, ...event }) => `  ${seq} ${JSON.stringify(event).slice(0, 200)}`);
    const inbox = await store.inbox({ conversation });
    lines.push(`${conversation}, unread: ${inbox.map(({ id }) => id).join(", ")}`, ...events);
  }
  return lines.join("\n");
}

/** Runs both processes, and starts each again when it was killed at its point, until the sender has finished. */
async function keepBoth(
  folder: string,
  address: string,
  points: Draw["points"],
  patience: number,
  onKill: (role: Role, mark: string) => void,
): Promise<void> {
  const ending = new AbortController();
  const keep = async (role: Role) => {
    for (;;) {
      const point = points[role].shift();
      const { mark, code, complaint } = await runToItsEnd(role, folder, address, point, ending.signal);
      if (ending.signal.aborted) return;
      if (mark !== undefined) onKill(role, mark);
      else if (role === "sender" && code === 0) return;
      else throw new Error(`The ${role} ended with ${code}: ${complaint}`);
    }
  };
  const kept = [keep("runner"), keep("sender")];
  try {
    await Promise.race([...kept, stuck(folder, patience, ending.signal)]);
  } finally {
    ending.abort();
    await Promise.allSettled(kept);
  }
}

/** Rejects when the processes have done nothing for as long as `patience`. On a busy machine all of it may take much longer. */
async function stuck(folder: string, patience: number, signal: AbortSignal): Promise<void> {
  const done = () =>
    [files.journal, files.effects, files.finished].map((file) => linesIn(join(folder, file)).length).join();
  for (let before: string | undefined; before !== done(); ) {
    before = done();
    await pause(patience, undefined, { signal }).catch(() => new Promise(() => {}));
  }
  throw new Error(`The processes have done nothing for ${patience / 1000} seconds.`);
}

const scripts = fileURLToPath(new URL(".", import.meta.url));

/** With a compile cache the processes start in half the time. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(scripts, "../../node_modules/.compile-cache") };

/** Runs a process until it is killed at its point, at the end of the drill, or ends by itself. */
async function runToItsEnd(
  role: Role,
  folder: string,
  address: string,
  point: KillPoint | undefined,
  ending: AbortSignal,
): Promise<{ mark: string | undefined; code: number | null; complaint: string }> {
  const child = spawn(process.execPath, [join(scripts, `${role}.ts`), folder, address, JSON.stringify(point ?? null)], {
    stdio: ["pipe", "pipe", "pipe"],
    env,
  });
  const kill = () => void child.kill("SIGKILL");
  ending.addEventListener("abort", kill);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  let mark: string | undefined;
  createInterface(child.stdout).once("line", async (line) => {
    if (point?.delay !== undefined) await pause(point.delay);
    // The sender may have finished meanwhile.
    if (child.kill("SIGKILL")) mark = line;
  });
  const [code] = (await once(child, "close")) as [number | null];
  ending.removeEventListener("abort", kill);
  return { mark, code, complaint };
}
