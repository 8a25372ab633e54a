import type { LogEvent } from "@cogency/protocol";

/**
 * A copy of a value in which the ids of the calls of a log stand as `call 1`, `call 2`: ids are random, and two runs that do the same
 * have others.
 */
export function withCallNumbers<T>(value: T, log: readonly LogEvent[]): T {
  const ids = log.flatMap((event) => (event.type === "call" && event.id !== undefined ? [event.id] : []));
  if (ids.length === 0) return value;
  const numbers = new Map([...new Set(ids)].map((id, index) => [id, `call ${index + 1}`]));
  const anyId = new RegExp([...numbers.keys()].map((id) => `${id}(?![A-Za-z0-9_-])`).join("|"), "g");
  const text = JSON.stringify(value).replace(anyId, (id) => numbers.get(id) ?? id);
  return JSON.parse(text) as T;
}
