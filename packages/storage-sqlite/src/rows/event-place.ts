/**
 * Where an event stands: the key of `events`, and of its words in `search`. It is the conversation's id, and in the lower
 * 32 bits the sequence number, so that the log of a conversation is one range of a table that is ordered by a number.
 * These functions write it as SQL; each returns an expression in parentheses, of expressions that it is given.
 *
 * @example eventPlace("$id", "$seq") // "($id << 32 | $seq)"; for conversation 2, event 5: 8589934597
 */
export function eventPlace(conversation: string, seq: string): string {
  return `(${conversation} << 32 | ${seq})`;
}

/** The id of the conversation whose event stands at `place`. */
export function conversationAt(place: string): string {
  return `(${place} >> 32)`;
}

/** The sequence number of the event that stands at `place`. */
export function seqAt(place: string): string {
  return `(${place} & ${maxSeq})`;
}

/** Whether `place` is one of the conversation's. */
export function isPlaceOf(conversation: string, place: string): string {
  return `(${place} BETWEEN ${eventPlace(conversation, "0")} AND ${lastPlace(conversation)})`;
}

/** The highest place that the conversation can have. */
export function lastPlace(conversation: string): string {
  return eventPlace(conversation, String(maxSeq));
}

/** The place of the conversation's last event; NULL for one without events. */
export function placeOfLastEvent(conversation: string): string {
  return `(SELECT max(place) FROM events WHERE ${isPlaceOf(conversation, "place")})`;
}

/** The highest sequence number that a place holds. */
export const maxSeq = 2 ** 32 - 1;
