import type { StoredEvent } from "@cogency/storage";

/**
 * The events from the beginning of the turn on in which the event with this number stands, or from before it: from words to the model
 * that follow no other words. What was before concerns no call and no question that is open, and to read all of a long log takes long.
 */
export function withTurn(events: readonly StoredEvent[], seq: number): readonly StoredEvent[] {
  let begin = 0;
  let isAfterWords = false;
  for (const [index, event] of events.entries()) {
    if (event.seq > seq) break;
    const isWords = event.type === "user";
    // Words of the runtime, such as a notice in the middle of a run, begin no turn.
    if (event.type === "record" || (isWords && event.origin !== undefined && event.origin !== "untrusted")) continue;
    if (isWords && !isAfterWords) begin = index;
    isAfterWords = isWords;
  }
  // The id of the message that brought the words stands in a record before them.
  const before = events.slice(0, begin).findLastIndex(({ type }) => type !== "record");
  return events.slice(before + 1);
}
