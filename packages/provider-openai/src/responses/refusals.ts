import { isObject } from "../wire-values.ts";

/** What a server has refused to take, and what is therefore left out of later requests. */
export interface Refusals {
  /** Models that must not be asked for their reasoning: they have none. */
  readonly models: Set<string>;
  /** Ids of reasoning items that must not be sent back: they are of another organization, say, or of a withdrawn key. */
  readonly items: Set<string>;
}

export function createRefusals(): Refusals {
  return { models: new Set(), items: new Set() };
}

/** What is to be left out after this body has been refused; undefined if that tells of nothing to leave out. */
export function learn(known: Refusals, { model, include, input }: RefusedBody, error: unknown): Refusals | undefined {
  const { models, items } = known;
  switch (refusedPart(error)) {
    case "include":
      if (include === undefined || model === undefined || models.has(model)) return undefined;
      return { models: new Set([...models, model]), items };
    case "reasoning": {
      const sent = reasoningIds(input).filter((id) => !items.has(id));
      const named = sent.filter((id) => error instanceof Error && error.message.includes(id));
      return sent.length === 0
        ? undefined
        : { models, items: new Set([...items, ...(named.length > 0 ? named : sent)]) };
    }
    case undefined:
      return undefined;
  }
}

/** What is read of a body; anything may stand in it that the caller has laid over. */
interface RefusedBody {
  readonly model?: string | undefined;
  readonly include?: unknown;
  readonly input?: unknown;
}

/** What the request is right without. */
function refusedPart(error: unknown): "include" | "reasoning" | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, param, code } = error as { status?: unknown; param?: unknown; code?: unknown };
  if (status !== 400 && status !== 404 && status !== 422) return undefined;
  if (param === "include" || asked.test(error.message)) return "include";
  if (code === "invalid_encrypted_content" || /encrypted.?content|\brs_\w/i.test(error.message)) return "reasoning";
  return undefined;
}

const asked = /['"`]include\b|\binclude:|encrypted content is not supported/i;

/** Of the items that are sent, or kept to be sent. */
export function reasoningIds(items: unknown): string[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) =>
    isObject(item) && item.type === "reasoning" && typeof item.id === "string" ? [item.id] : [],
  );
}
