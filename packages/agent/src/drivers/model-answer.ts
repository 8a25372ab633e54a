import {
  generate,
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  type StreamOptions,
} from "@cogency/provider";

/**
 * Makes one model request and yields its events; `stream: null` makes a non-streaming one.
 *
 * @throws ProviderError `bad_response` for an event that is malformed; errors of the provider pass through
 */
export async function* askModel(
  provider: Provider,
  stream: "token" | "event" | null,
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<ModelEvent> {
  const { name, model, capabilities } = provider;
  const checked = () => soundEvents(name, provider.stream(request, options));
  if (stream !== null) return yield* checked();
  // Checked before `generate` joins the pieces, which would make text of any value.
  const whole = provider.generate ? provider : { name, model, capabilities, stream: checked };
  yield* soundEvents(name, await generate(whole, request, options));
}

/**
 * Yields the events up to the first malformed one.
 *
 * @throws ProviderError `bad_response` there
 */
export async function* soundEvents<E extends object>(
  provider: string,
  events: AsyncIterable<E> | Iterable<E>,
): AsyncGenerator<E> {
  for await (const event of events) {
    const problem = problemOf(event);
    if (problem) throw new ProviderError("bad_response", `The provider ${provider} gave ${problem}.`);
    yield event;
  }
}

/** What is wrong with an event; providers that are not type-checked may give any value. */
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
