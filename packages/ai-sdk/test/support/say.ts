import type { ModelEvent, ModelRequest, Provider, StreamOptions } from "@cogency/provider";

export const hi: ModelRequest = { system: "Be brief.", messages: [{ role: "user", content: "Hi" }] };

/** The events of an answer, and its error. */
export async function say(provider: Provider, request: ModelRequest = hi, options: StreamOptions = {}) {
  const events: ModelEvent[] = [];
  try {
    for await (const event of provider.stream(request, options)) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}
