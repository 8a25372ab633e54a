import type { ModelEvent, ModelRequest, Provider, StreamOptions } from "./provider.ts";

/**
 * One non-streaming request: the provider's own `generate`, or its stream collected, with adjacent pieces of text, and
 * adjacent pieces of reasoning, joined. The last event is `finish`.
 *
 * @throws ProviderError as `stream` does
 */
export async function generate(
  provider: Provider,
  request: ModelRequest,
  options: StreamOptions = {},
): Promise<ModelEvent[]> {
  if (provider.generate) return provider.generate(request, options);
  const pieces: ModelEvent[] = [];
  for await (const event of provider.stream(request, options)) pieces.push(event);
  return joined(pieces);
}

function joined(pieces: readonly ModelEvent[]): ModelEvent[] {
  const events: ModelEvent[] = [];
  let open: { type: "text" | "reasoning"; text: string } | undefined;
  for (const piece of pieces) {
    if (piece.type !== "text" && piece.type !== "reasoning") {
      open = undefined;
      events.push(piece);
    } else if (open?.type === piece.type) {
      open.text += piece.text;
    } else {
      open = { ...piece };
      events.push(open);
    }
  }
  return events;
}
