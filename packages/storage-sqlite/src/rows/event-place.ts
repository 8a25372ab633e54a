/**
 * The place of an event: the integer key of the tables `events` and `search`. The upper bits are the conversation's id,
 * the lower 32 bits the sequence number, so a log is one range of a table that SQLite orders by an integer, its fastest
 * kind. Only this file knows the layout. Its functions take SQL expressions and return one in parentheses.
 *
 * @example eventPlace("$id", "$seq") // "($id << 32 | $seq)"; event 5 of conversation 2 has the place 8589934597
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

/** Whether `place` belongs to the conversation. */
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
