import type { LogEvent } from "@cogency/protocol";
import { InvalidEventError } from "../errors.ts";

/** An event as an adapter stores it. */
export interface EventRow {
  type: LogEvent["type"];
  /** The whole event as JSON. */
  text: string;
}

/**
 * Returns the rows to store for a batch that `cleanEvents` returned. An adapter must call it before it changes its
 * data.
 *
 * @throws InvalidEventError for the first event whose JSON is longer than a string can be
 */
export function eventRows(cleaned: readonly LogEvent[]): EventRow[] {
  return cleaned.map((event, index) => {
    try {
      return { type: event.type, text: JSON.stringify(event) };
    } catch (cause) {
      throw new InvalidEventError(index, event.type, "its JSON is longer than a string can be.", { cause });
    }
  });
}
