import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isSameJson } from "@cogency/provider/http";
import { isObject, stringOf } from "../wire-values.ts";
import type { WirePart } from "./wire.ts";

export const providerName = "google";

/**
 * The parts with one more, unchanged. Only adjacent pieces of plain text are joined: a part with a signature stays as it
 * came, also if its text is empty, because the signature is valid on that part only.
 */
export function withPart(parts: readonly JsonObject[], part: WirePart): readonly JsonObject[] {
  const added = asJson(part);
  if (!isPlain(added)) return [...parts, added];
  if (stringOf(added.text) === "") return parts;
  const last = parts.at(-1);
  if (!last || !isPlain(last) || last.thought !== added.thought) return [...parts, added];
  return parts.with(-1, { ...last, text: stringOf(last.text) + stringOf(added.text) });
}

/** The parts of an answer, if they hold more than its text, its thoughts and its calls; otherwise undefined. */
export function nativeOf(parts: readonly JsonObject[]): JsonObject[] | undefined {
  return parts.some(hasMore) ? [...parts] : undefined;
}

function hasMore(part: JsonObject): boolean {
  return "thoughtSignature" in part || !("text" in part || "functionCall" in part);
}

/** Holds text and nothing else, or nothing at all. */
function isPlain(part: JsonObject): boolean {
  return Object.keys(part).every((name) => name === "text" || name === "thought");
}

/**
 * The parts of an earlier answer as they were received, if this model made them and they still match the message; otherwise
 * undefined. Calls take the ids of the message, because its results name those.
 */
export function replay({ content, native, calls = [] }: AssistantMessage, model: string): JsonObject[] | undefined {
  if (native?.provider !== providerName || native.model !== model || !isParts(native.data)) return undefined;
  const parts = native.data;
  // An answer in the text protocol came with markup, which a native message leaves out.
  const text = parts.map((part) => (part.thought ? "" : stringOf(part.text))).join("");
  if (withoutSpace(text) !== withoutSpace(content)) return undefined;
  const asked = parts.filter(isCall);
  const agree = asked.length === calls.length && asked.every((part, index) => isSameCall(part, calls[index]));
  if (!agree) return undefined;
  const ids = calls.values();
  return parts.map((part) => (isCall(part) ? withId(part, ids.next().value?.id ?? "") : part));
}

/** The log does not keep layout. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

type CallPart = JsonObject & { functionCall: JsonObject };

function isCall(part: JsonObject): part is CallPart {
  return isObject(part.functionCall);
}

function withId(part: CallPart, id: string): JsonObject {
  return { ...part, functionCall: { ...part.functionCall, id } };
}

function isParts(data: Json): data is JsonObject[] {
  return Array.isArray(data) && data.length > 0 && data.every(isObject);
}

function isSameCall({ functionCall }: CallPart, call: { name: string; args: JsonObject } | undefined): boolean {
  const { name, args = {} } = functionCall;
  return call !== undefined && name === call.name && isSameJson(args, call.args);
}

/** The value was parsed from JSON. */
function asJson(value: object): JsonObject {
  return value as { [key: string]: Json };
}
