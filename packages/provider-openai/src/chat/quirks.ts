import type { ChatBody } from "./request.ts";

/** What a server refuses, or demands, of the requests for one model, and says only by refusing one. */
export interface Quirks {
  /** Models that reason take no `stop`. */
  readonly refusesStop: boolean;
  readonly refusesStreamOptions: boolean;
  /** Every assistant message must carry its `reasoning_content`. */
  readonly demandsReasoning: boolean;
}

export const noQuirks: Quirks = { refusesStop: false, refusesStreamOptions: false, demandsReasoning: false };

/** What the refusal of this request tells beyond what is known; undefined if nothing that could be mended. */
export function learn(known: Quirks, body: ChatBody, refusal: unknown): Quirks | undefined {
  const words = wordsOf(refusal);
  if (words === undefined) return undefined;
  if (body.stop !== undefined && /\bstop\b/i.test(words)) return { ...known, refusesStop: true };
  if (body.stream_options && /stream_options|include_usage/.test(words))
    return { ...known, refusesStreamOptions: true };
  const lacksReasoning = body.messages.some((each) => each.role === "assistant" && !("reasoning_content" in each));
  if (lacksReasoning && /reasoning_content/.test(words)) return { ...known, demandsReasoning: true };
  return undefined;
}

/** All that the server says about a request it finds wrong; the SDK keeps the body of the answer as `error`. */
function wordsOf(refusal: unknown): string | undefined {
  if (!(refusal instanceof Error)) return undefined;
  const { status, error } = refusal as { status?: unknown; error?: unknown };
  return status === 400 || status === 422 ? `${refusal.message} ${JSON.stringify(error) ?? ""}` : undefined;
}
