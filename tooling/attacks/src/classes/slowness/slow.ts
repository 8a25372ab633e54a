import { setImmediate } from "node:timers/promises";
import { carryOut, type FileCall } from "../../harness/file-calls.ts";
import type { Place } from "../../harness/place.ts";

export const longName = "a".repeat(240);

/** Milliseconds of processor time that one turn of the event loop may take, and the whole work. */
const longestTurn = 400;

const longestWork = 3000;

/** Does the work, and measures the turns of the event loop meanwhile. Returns what took too long. */
export async function slow(work: () => unknown): Promise<string | undefined> {
  let isOver = false;
  let longest = 0;
  const begun = cpu();
  const watching = (async () => {
    for (let last = cpu(); !isOver; ) {
      await setImmediate();
      const now = cpu();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await setImmediate();
  // While the work waits, the turns are those of the watcher.
  const before = cpu();
  await work();
  isOver = true;
  await watching;
  const whole = cpu() - begun;
  const first = cpu() - before;
  if (longest > longestTurn) return `one turn took ${Math.round(longest)} ms of the processor`;
  return Math.min(first, whole) > longestWork * 8 ? `it took ${Math.round(first)} ms of the processor` : undefined;
}

export function slowCalls(place: Place, calls: readonly FileCall[]): Promise<string | undefined> {
  return slow(() => carryOut(calls, { root: place.root, access: "project" }));
}

export function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
