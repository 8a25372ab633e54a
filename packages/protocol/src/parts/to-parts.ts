import type { PartEvent, Parts } from "./part.ts";
import { reduceParts } from "./reduce-parts.ts";

/**
 * Yields the parts after each event, such as those of a run. Leaving the loop closes the source, which cancels a run;
 * errors of the source pass through.
 *
 * @param parts what the screen shows already, such as the parts of the log before the run; none by default
 */
export async function* toParts(
  events: Iterable<PartEvent> | AsyncIterable<PartEvent>,
  parts: Parts = [],
): AsyncGenerator<Parts, void, undefined> {
  let current = parts;
  for await (const event of events) {
    current = reduceParts(current, event);
    yield current;
  }
}
