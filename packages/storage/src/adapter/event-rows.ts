import type { LogEvent } from "@cogency/protocol";
import { InvalidEventError } from "../errors.ts";
import { jsonWithin } from "./json-size.ts";

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
 * @throws InvalidEventError for the first event whose JSON has more than `maxStoredBytes`
 */
export function eventRows(cleaned: readonly LogEvent[]): EventRow[] {
  return cleaned.map((event, index) => {
    const { type } = event;
    const text = jsonWithin(
      () => JSON.stringify(event),
      (problem, options) => {
        throw new InvalidEventError(index, type, problem, options);
      },
    );
    return { type, text };
  });
}
