import type { LogEvent } from "@cogency/protocol";
import { InvalidEventError } from "../errors.ts";

/** An event as an adapter keeps it. */
export interface EventRow {
  type: LogEvent["type"];
  /** The whole event as JSON. */
  text: string;
}

/**
 * What to keep of a batch that `cleanEvents` returned. An adapter calls it before it changes anything.
 *
 * @throws InvalidEventError for the first event that is longer, as JSON, than a string can be
 */
export function eventRows(cleaned: readonly LogEvent[]): EventRow[] {
  return cleaned.map((event, index) => {
    try {
      return { type: event.type, text: JSON.stringify(event) };
    } catch (cause) {
      throw new InvalidEventError(index, event.type, "as JSON it is longer than a string can be.", { cause });
    }
  });
}
