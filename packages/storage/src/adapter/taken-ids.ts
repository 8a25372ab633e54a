import type { LogEvent } from "@cogency/protocol";

/**
 * Returns the ids of the messages that an append takes, as they are at the time of the call. A message that is named twice
 * stands there twice: it is not in the inbox when it is taken the second time.
 *
 * @throws RangeError if there are ids, but no events
 */
export function takenIds(takes: readonly string[] = [], events: readonly LogEvent[]): readonly string[] {
  if (takes.length === 0 || events.length > 0) return [...takes];
  throw new RangeError(
    "`takes` names messages, but there are no events; append what is left of the messages in the log.",
  );
}
