import type { ChatBody } from "./wire.ts";

/** Per model: what a server refuses in a request, or demands of one. A server says so only by refusing a request. */
export type Refusals = Map<string, ModelRefusals>;

export interface ModelRefusals {
  /** Models that reason take no `stop`. */
  readonly refusesStop: boolean;
  readonly refusesStreamOptions: boolean;
  /** OpenAI's models that reason, wherever they are served, know the limit as `max_completion_tokens` only. */
  readonly refusesMaxTokens: boolean;
  /** Every assistant message must carry its `reasoning_content`. */
  readonly demandsReasoning: boolean;
  /** The template of the model knows no system prompt. */
  readonly refusesSystem: boolean;
}

export const noRefusals: ModelRefusals = {
  refusesStop: false,
  refusesStreamOptions: false,
  refusesMaxTokens: false,
  demandsReasoning: false,
  refusesSystem: false,
};

export function createRefusals(): Refusals {
  return new Map();
}

/**
 * What is known after the server has refused this body; undefined if the refusal names nothing that can be left out or
 * added. Nothing is learned twice: if a change did not help, such as for a field that the caller set, the refusal stands.
 */
export function learn(known: ModelRefusals, body: ChatBody, error: unknown): ModelRefusals | undefined {
  const isSystemSent = body.messages[0]?.role === "system" && !known.refusesSystem;
  if (isSystemSent && refusesSystem(error)) return { ...known, refusesSystem: true };
  const words = wordsOf(error, [400, 422]);
  if (words === undefined) return undefined;
  const isStopNamed = body.stop !== undefined && !known.refusesStop && /\bstop\b/i.test(words);
  if (isStopNamed && paramOf(error) === "stop") return { ...known, refusesStop: true };
  if (body.stream_options && /stream_options|include_usage/.test(words))
    return { ...known, refusesStreamOptions: true };
  if ("max_tokens" in body && !known.refusesMaxTokens && /max_completion_tokens/.test(words))
    return { ...known, refusesMaxTokens: true };
  if (!known.demandsReasoning && /reasoning_content/.test(words) && lacksReasoning(body))
    return { ...known, demandsReasoning: true };
  // Last, because `stop` is a common word and stands in every list of the fields that a server accepts.
  return isStopNamed ? { ...known, refusesStop: true } : undefined;
}

/**
 * Templates of Gemma and of the first Mistral: `System role not supported`, or that roles must alternate, though they do. vLLM
 * answers 400 (microsoft/autogen#1037), llama.cpp 500.
 */
function refusesSystem(error: unknown): boolean {
  const words = wordsOf(error, [400, 422, 500]) ?? "";
  return /system (role|message|prompt)s?\b[^.]{0,40}\bnot (be )?supported|(?<!system message, )conversation roles must alternate/i.test(
    words,
  );
}

function lacksReasoning({ messages }: ChatBody): boolean {
  return messages.some((message) => message.role === "assistant" && !("reasoning_content" in message));
}

function paramOf(error: unknown): unknown {
  return error instanceof Error ? (error as { param?: unknown }).param : undefined;
}

/** The whole text of a refusal with one of these statuses; undefined for any other error. The SDK keeps its body as `error`. */
function wordsOf(refusal: unknown, statuses: readonly number[]): string | undefined {
  if (!(refusal instanceof Error)) return undefined;
  const { status, error } = refusal as { status?: unknown; error?: unknown };
  const isRefusal = typeof status === "number" && statuses.includes(status);
  return isRefusal ? `${refusal.message} ${JSON.stringify(error) ?? ""}` : undefined;
}
