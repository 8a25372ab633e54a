import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isJsonObject } from "../wire-values.ts";
import { withFields } from "./with-fields.ts";

/** What an answer holds that a server may want back: opaque, and of no meaning to another server or model. */
export interface NativeBlocks {
  /** DeepSeek's, vLLM's. */
  readonly reasoning_content?: string;
  /** OpenRouter's, signatures and encrypted reasoning among them. */
  readonly reasoning_details?: readonly JsonObject[];
  /** Gemini's signatures of thoughts, one a call; null where a call has none. */
  readonly extra_content?: readonly (JsonObject | null)[];
}

/** The blocks of a message, if this server and model have made them. */
export function nativeBlocks({ native }: AssistantMessage, server: { name: string; model: string }): NativeBlocks {
  if (native?.provider !== server.name || native.model !== server.model || !isJsonObject(native.data)) return {};
  const { reasoning_content: reasoning, reasoning_details: details, extra_content: extra } = native.data;
  return {
    ...(typeof reasoning === "string" ? { reasoning_content: reasoning } : {}),
    ...(Array.isArray(details) && details.every(isJsonObject) ? { reasoning_details: details } : {}),
    ...(Array.isArray(extra) && extra.every(isObjectOrNull) ? { extra_content: extra } : {}),
  };
}

/**
 * The details with some more of them. In a stream they come in pieces: those that follow each other and have the same
 * type and index are one, of which the texts are put together and the last value of everything else counts.
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

/** What a detail holds that is not told as reasoning, too. */
export function encryptedPart(detail: unknown): string {
  if (!isJsonObject(detail)) return "";
  return [detail.data, detail.signature].filter((part) => typeof part === "string").join("");
}

function isObjectOrNull(value: unknown): value is JsonObject | null {
  return value === null || isJsonObject(value);
}
