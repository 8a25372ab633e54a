import type { ModelEvent, ModelRequest, Provider, StreamOptions } from "./provider.ts";

/**
 * Makes one non-streaming request: calls the provider's own `generate`, or else collects its stream and joins adjacent
 * pieces of text, of reasoning and of the arguments of a call. The last event is `finish`.
 *
 * @throws ProviderError as `stream` does
 */
export async function generate(
  provider: Provider,
  request: ModelRequest,
  options: StreamOptions = {},
): Promise<ModelEvent[]> {
  if (provider.generate) return provider.generate(request, options);
  const events: ModelEvent[] = [];
  // Joined as they arrive, because a server may send any number of empty pieces.
  for await (const event of provider.stream(request, options)) add(events, event);
  return events;
}

function add(events: ModelEvent[], event: ModelEvent): void {
  const last = events.at(-1);
  if (event.type === "text" || event.type === "reasoning") {
    if (last?.type === event.type) last.text += event.text;
    else if (event.text !== "") events.push({ ...event });
  } else if (event.type === "tool_call_delta") {
    if (last?.type === event.type && last.index === event.index) joinDelta(last, event);
    else events.push({ ...event });
  } else events.push(event);
}

type Delta = Extract<ModelEvent, { type: "tool_call_delta" }>;

function joinDelta(last: Delta, { id, name, arguments: piece }: Delta): void {
  last.arguments += piece;
  if (id !== undefined) last.id = id;
  if (name !== undefined) last.name = name;
}
