import type { ModelEvent } from "@cogency/provider";

/** Reads a stream to its end. After an error, `into` holds the events before it. */
export async function collect(stream: AsyncIterable<ModelEvent>, into: ModelEvent[] = []): Promise<ModelEvent[]> {
  for await (const event of stream) into.push(event);
  return into;
}

/** The text in these events. */
export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}
