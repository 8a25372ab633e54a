import type { LogEvent } from "./events.ts";

/** A place of a log that a person has named. */
export interface Point {
  /** 1 to 60 characters on one line; the words of a person, which nothing vouches for. */
  readonly name: string;
  /** How many events of the log stand before it; in a record also 0, which takes the name back. */
  readonly at: number;
}

/** Whether a text may be the name of a point: 1 to 60 characters on one line, none that steers a screen, and no space at its ends. */
export function isPointName(text: string): boolean {
  const { length } = Array.from(text.slice(0, 2 * longest + 1));
  return length > 0 && length <= longest && text.trim() === text && !steers.test(text);
}

/**
 * Reads the record of a point.
 *
 * @param before how many events stand before it in its log
 * @returns undefined for every other event, and for a record without effect: a log from elsewhere may hold anything
 */
export function pointIn(event: LogEvent, before: number): Point | undefined {
  if (event.type !== "record" || event.kind !== "point") return undefined;
  const { name, at } = ((event as { data?: unknown }).data ?? {}) as { name?: unknown; at?: unknown };
  if (typeof name !== "string" || !isPointName(name)) return undefined;
  const isWithin = typeof at === "number" && Number.isInteger(at) && at >= 0 && at <= before;
  return isWithin ? { name, at } : undefined;
}

/**
 * The named points of a log, by their place, those of one place in the order in which they were named.
 *
 * @param log all of its events
 */
export function pointsOf(log: readonly LogEvent[]): Point[] {
  const named = new Map<string, Point>();
  for (const [before, event] of log.entries()) {
    const point = pointIn(event, before);
    if (!point) continue;
    named.delete(point.name);
    if (point.at > 0) named.set(point.name, point);
  }
  return [...named.values()].sort((one, other) => one.at - other.at);
}

const longest = 60;
/** Control characters, lines, marks that turn the direction of a text or are not seen, and halves of characters. */
const steers = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
