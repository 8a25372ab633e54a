import type { LogEvent } from "@cogency/protocol";
import { checkOptions, whole } from "@cogency/protocol/options";
import { estimateOf } from "./estimate.ts";
import type { History } from "./history.ts";
import { outlineOf, unreadFrom } from "./outline.ts";

/** One of both. */
export type SlidingWindowOptions =
  /** The most rounds that a request shows: messages of the user, and steps of the model with their results. */
  | { rounds: number; tokens?: undefined }
  /** The most tokens of the conversation that a request shows, as they are estimated; the system prompt and tools not counted. */
  | { tokens: number; rounds?: undefined };

/**
 * Shows the model only the end of a conversation. The log stays as it is. What the model has not read yet is always shown.
 *
 * Once the window is full it moves on by half, so that the requests until then begin alike, and prompt caches hit.
 *
 * @throws TypeError, RangeError
 */
export function slidingWindow(options: SlidingWindowOptions): History {
  checkOptions<{ rounds?: number; tokens?: number }>("slidingWindow", options, { rounds: whole(1), tokens: whole(1) });
  const { rounds, tokens } = options ?? {};
  if ((rounds === undefined) === (tokens === undefined)) {
    throw new TypeError("slidingWindow takes one of `rounds` and `tokens`.");
  }
  const most = rounds ?? tokens;
  const sizeOf = (events: readonly LogEvent[]) => (rounds === undefined ? estimateOf(events) : 1);
  return { firstShown: (log) => beginOf(log, most as number, sizeOf) };
}

function beginOf(log: readonly LogEvent[], most: number, sizeOf: (events: readonly LogEvent[]) => number): number {
  const outline = outlineOf(log);
  const { rounds } = outline;
  const sizes: number[] = [];
  let first = 0;
  let shown = 0;
  for (const [index, { start }] of rounds.entries()) {
    sizes[index] = sizeOf(log.slice(start, rounds[index + 1]?.start));
    shown += sizes[index] as number;
    if (shown <= most) continue;
    while (first < index && shown > most / 2) shown -= sizes[first++] as number;
    // The step that follows a user's message goes with it.
    if (first < index && rounds[first - 1]?.kind === "user") shown -= sizes[first++] as number;
  }
  return first === 0 ? 0 : Math.min(rounds[first]?.start ?? 0, unreadFrom(outline));
}
