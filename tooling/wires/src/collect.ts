import type { ModelEvent } from "@cogency/provider";

export async function collect(stream: AsyncIterable<ModelEvent>, into: ModelEvent[] = []): Promise<ModelEvent[]> {
  for await (const event of stream) into.push(event);
  return into;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}
