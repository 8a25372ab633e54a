import {
  generate,
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  type StreamOptions,
} from "@cogency/provider";

/**
 * One model request; `stream: null` makes a non-streaming one.
 *
 * @throws ProviderError `bad_response` for an event that is none, besides what the provider throws
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
  // Before pieces are joined: what is no text would become a part of one.
  const whole = provider.generate ? provider : { name, model, capabilities, stream: checked };
  yield* soundEvents(name, await generate(whole, request, options));
}

/** The events as they come, up to the first one whose text is no string. */
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

/** Providers without a type checker give anything. */
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
