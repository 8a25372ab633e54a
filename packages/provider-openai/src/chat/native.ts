import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isJsonObject } from "../wire-values.ts";
import type { PendingCall } from "./calls.ts";
import { withFields } from "./with-fields.ts";

/** The fields of an answer that a server may want back. They are opaque, and useless to another server or model. */
export interface NativeFields {
  /** DeepSeek's, vLLM's. */
  readonly reasoning_content?: string;
  /** OpenRouter's, signatures and encrypted reasoning among them. */
  readonly reasoning_details?: readonly JsonObject[];
  /** Gemini's signatures of thoughts, one for each call; null for a call without one. */
  readonly extra_content?: readonly (JsonObject | null)[];
}

/** The native fields of an answer, as {@link replay} reads them from the message of a later request. */
export function nativeOf({ reasoning, hasReasoningContent, details, calls }: Answer): JsonObject | undefined {
  const hasExtra = calls.some(({ extra }) => extra !== undefined);
  if (!hasReasoningContent && details.length === 0 && !hasExtra) return undefined;
  return {
    ...(hasReasoningContent ? { reasoning_content: reasoning } : {}),
    ...(details.length > 0 ? { reasoning_details: [...details] } : {}),
    ...(hasExtra ? { extra_content: calls.map(({ extra }) => extra ?? null) } : {}),
  };
}

interface Answer {
  readonly reasoning: string;
  readonly hasReasoningContent: boolean;
  readonly details: readonly JsonObject[];
  readonly calls: readonly PendingCall[];
}

/** The native fields of a message, if this server and model made them; otherwise none. */
export function replay({ native }: AssistantMessage, server: { name: string; model: string }): NativeFields {
  if (native?.provider !== server.name || native.model !== server.model || !isJsonObject(native.data)) return {};
  const { reasoning_content: reasoning, reasoning_details: details, extra_content: extra } = native.data;
  return {
    ...(typeof reasoning === "string" ? { reasoning_content: reasoning } : {}),
    ...(Array.isArray(details) && details.every(isJsonObject) ? { reasoning_details: details } : {}),
    ...(Array.isArray(extra) && extra.every(isObjectOrNull) ? { extra_content: extra } : {}),
  };
}

/**
 * Adds pieces of reasoning details. A stream cuts a detail into pieces: adjacent pieces of the same type and index are
 * one detail. Their texts are joined; of any other field the last value counts.
 */
export function addDetails(details: readonly JsonObject[], pieces: readonly unknown[]): readonly JsonObject[] {
  const all = [...details];
  for (const piece of pieces) {
    if (!isJsonObject(piece)) continue;
    const last = all.at(-1);
    if (last && last.type === piece.type && last.index === piece.index && piece.index !== undefined) {
      all[all.length - 1] = withFields(last, piece, joined);
    } else all.push(piece);
  }
  return all;
}

const texts: ReadonlySet<string> = new Set(["text", "summary", "data"]);

function joined(known: Json, value: Json, name: string): Json {
  if (value === null) return known;
  return texts.has(name) && typeof known === "string" && typeof value === "string" ? known + value : value;
}

/** The part of a reasoning detail that no `reasoning` event carries. */
export function encryptedPart(detail: unknown): string {
  if (!isJsonObject(detail)) return "";
  return [detail.data, detail.signature].filter((part) => typeof part === "string").join("");
}

function isObjectOrNull(value: unknown): value is JsonObject | null {
  return value === null || isJsonObject(value);
}
