import type { ModelEvent } from "../../src/provider.ts";

/** Reads a stream to its end. After an error, `into` holds the events before it. */
export async function collect(
  stream: AsyncIterable<ModelEvent> | Iterable<ModelEvent> | undefined,
  into: ModelEvent[] = [],
): Promise<ModelEvent[]> {
  for await (const event of stream ?? []) into.push(event);
  return into;
}
