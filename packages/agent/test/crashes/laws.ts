import { callOf, type LogEvent, parseResults } from "@cogency/protocol";
import type { UnknownCall } from "../../src/batch/unknown-calls.ts";

/** What the killed process has left. */
export interface Left {
  log: readonly LogEvent[];
  effects: readonly string[];
  /** The ids of the calls whose end was not stored when a process was killed. */
  doubtful: ReadonlySet<string>;
  /** How many processes were killed. */
  kills: number;
}

export interface End {
  log: readonly LogEvent[];
  effects: readonly string[];
  left: Left;
  /** Whether the conversation was recovered; otherwise a prompt has followed. */
  recovers: boolean;
  unknown: readonly UnknownCall[];
}

/**
 * Checks a conversation that has gone on after its process was killed:
 *
 * - A call that is not idempotent takes effect once at most, also one whose tool can say whether it did.
 * - A call whose result says that it succeeded has taken effect, and one that has, and whose outcome is not unknown, succeeds.
 * - The result of the run lists the calls of unknown outcome, and no others: those that had begun, of whose end nothing was stored,
 *   and whose tool can neither repeat them nor say what became of them.
 * - Each call has one result.
 */
export function checkEnd({ log, effects, left, recovers, unknown }: End): void {
  const times = (call: string) => effects.filter((line) => line === call).length;
  for (const line of new Set(effects)) {
    const most = line.startsWith("pay") || line.startsWith("ship") ? 1 : left.kills + 1;
    demand(times(line) <= most, `${line}: it took effect ${times(line)} times.`);
  }
  const calls = log.flatMap((event) => (event.type === "call" ? [{ id: event.id ?? "", ...callOf(event) }] : []));
  const results = log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
  demand(results.length === calls.length, `${calls.length} calls have ${results.length} results.`);
  const begun = begunCalls(left.log);
  const expected: string[] = [];
  for (const [index, { id, name, args }] of calls.entries()) {
    const line = `${name} ${args.item}`;
    const hasSucceeded = results[index]?.status === "success";
    const mayBeUnknown = name === "pay" || (!recovers && name !== "ship");
    const isDoubtful = mayBeUnknown && left.doubtful.has(id);
    if (mayBeUnknown && begun.has(id)) expected.push(line);
    demand(!hasSucceeded || times(line) > 0, `${line}: it succeeded without an effect.`);
    demand(hasSucceeded || times(line) === 0 || isDoubtful, `${line}: it took effect, and its result says: failure.`);
    if (recovers) demand(hasSucceeded || isDoubtful, `${line}: its result is ${JSON.stringify(results[index])}.`);
  }
  const listed = unknown.map(({ name, args }) => `${name} ${args.item}`);
  demand(same(listed.toSorted(), expected.toSorted()), `Unknown are ${listed}; expected: ${expected}.`);
}

/** The ids of the calls at the end of a log that have begun, and of whose end nothing is stored. */
export function begunCalls(log: readonly LogEvent[]): Set<string> {
  const closed = log.findLastIndex((event) => event.type === "result");
  const begun = new Set<string>();
  for (const event of log.slice(closed + 1)) {
    if (event.type !== "record") continue;
    const { id } = (event.data ?? {}) as { id?: string };
    if (event.kind === "started" && id !== undefined) begun.add(id);
    if (event.kind === "finished" && id !== undefined) begun.delete(id);
  }
  return begun;
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}
