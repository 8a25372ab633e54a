import {
  generate,
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  type StreamOptions,
} from "@cogency/provider";

/**
 * Makes one model request; `stream: null` makes a non-streaming one.
 *
 * @throws ProviderError `bad_response` if a non-streaming answer holds a malformed event; errors of the provider pass through
 */
export function askModel(
  provider: Provider,
  stream: "token" | "event" | null,
  request: ModelRequest,
  options: StreamOptions,
): AsyncIterable<ModelEvent> {
  return stream === null ? wholeAnswer(provider, request, options) : provider.stream(request, options);
}

async function* wholeAnswer(
  provider: Provider,
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<ModelEvent> {
  const { name, model, capabilities } = provider;
  // Checked before `generate` joins the pieces, which would make text of any value.
  const stream = () => checked(name, provider.stream(request, options));
  const whole = provider.generate ? provider : { name, model, capabilities, stream };
  for (const event of await generate(whole, request, options)) yield event;
}

async function* checked(provider: string, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  for await (const event of events) {
    checkEvent(provider, event);
    yield event;
  }
}

/** @throws ProviderError `bad_response` for a malformed event; providers that are not type-checked may give any value */
export function checkEvent(provider: string, event: unknown): void {
  const problem = problemOf(event);
  if (problem) throw new ProviderError("bad_response", `The provider ${provider} gave ${problem}.`);
}

function problemOf(event: unknown): string | undefined {
  if (typeof event !== "object" || event === null) return `${kindOf(event)} instead of an event`;
  const { type, text } = event as { type?: unknown; text?: unknown };
  const hasText = type === "text" || type === "reasoning";
  return hasText && typeof text !== "string"
    ? `a ${type} event whose text is ${kindOf(text)}, not a string`
    : undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
