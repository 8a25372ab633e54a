import { isObject } from "@cogency/provider/http";

/** What a server has refused, and what later requests therefore leave out. */
export interface Refusals {
  /** Models that must not be asked for their reasoning, because they have none. */
  readonly models: Set<string>;
  /** Ids of reasoning items that must not be sent back: they belong to another organization, say, or to a revoked key. */
  readonly items: Set<string>;
}

export function createRefusals(): Refusals {
  return { models: new Set(), items: new Set() };
}

/** What is known after the server has refused this body; undefined if the refusal names nothing that can be left out. */
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

/** The fields that are read from a body. They may hold anything, because `request.options` override them. */
interface RefusedBody {
  readonly model?: string | undefined;
  readonly include?: unknown;
  readonly input?: unknown;
}

/** The part of the request that the server refuses. */
function refusedPart(error: unknown): "include" | "reasoning" | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, param, code } = error as { status?: unknown; param?: unknown; code?: unknown };
  if (status !== 400 && status !== 404 && status !== 422) return undefined;
  if (param === "include" || namesInclude.test(error.message)) return "include";
  if (code === "invalid_encrypted_content" || /encrypted.?content|\brs_\w/i.test(error.message)) return "reasoning";
  return undefined;
}

const namesInclude = /['"`]include\b|\binclude:|encrypted content is not supported/i;

/** The ids of the reasoning items among items that are sent, or are kept to be sent. */
export function reasoningIds(items: unknown): string[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) =>
    isObject(item) && item.type === "reasoning" && typeof item.id === "string" ? [item.id] : [],
  );
}
