import type { ChatBody } from "./chat-body.ts";

/** What a server refuses, or demands, of the requests for one model, and says only by refusing one. */
export interface Quirks {
  /** Models that reason take no `stop`. */
  readonly refusesStop: boolean;
  readonly refusesStreamOptions: boolean;
  /** Every assistant message must carry its `reasoning_content`. */
  readonly demandsReasoning: boolean;
  /** OpenAI's models that reason, wherever they are served, know the limit as `max_completion_tokens` only. */
  readonly refusesMaxTokens: boolean;
}

export const noQuirks: Quirks = {
  refusesStop: false,
  refusesStreamOptions: false,
  demandsReasoning: false,
  refusesMaxTokens: false,
};

/**
 * What the refusal of this request tells beyond what is known; undefined if nothing that could be mended. What is known
 * is not learned once more: where it did not help, such as with a field of the caller's own, the refusal stands.
 */
export function learn(known: Quirks, body: ChatBody, refusal: unknown): Quirks | undefined {
  const words = wordsOf(refusal);
  if (words === undefined) return undefined;
  const isStopNamed = body.stop !== undefined && !known.refusesStop && /\bstop\b/i.test(words);
  if (isStopNamed && paramOf(refusal) === "stop") return { ...known, refusesStop: true };
  if (body.stream_options && /stream_options|include_usage/.test(words))
    return { ...known, refusesStreamOptions: true };
  if ("max_tokens" in body && !known.refusesMaxTokens && /max_completion_tokens/.test(words))
    return { ...known, refusesMaxTokens: true };
  if (!known.demandsReasoning && /reasoning_content/.test(words) && lacksReasoning(body))
    return { ...known, demandsReasoning: true };
  // Last, because it is a common word, and stands in every list of the fields that a server does take.
  return isStopNamed ? { ...known, refusesStop: true } : undefined;
}

function lacksReasoning({ messages }: ChatBody): boolean {
  return messages.some((each) => each.role === "assistant" && !("reasoning_content" in each));
}

function paramOf(refusal: unknown): unknown {
  return refusal instanceof Error ? (refusal as { param?: unknown }).param : undefined;
}

/** All that the server says about a request it finds wrong; the SDK keeps the body of the answer as `error`. */
function wordsOf(refusal: unknown): string | undefined {
  if (!(refusal instanceof Error)) return undefined;
  const { status, error } = refusal as { status?: unknown; error?: unknown };
  return status === 400 || status === 422 ? `${refusal.message} ${JSON.stringify(error) ?? ""}` : undefined;
}
