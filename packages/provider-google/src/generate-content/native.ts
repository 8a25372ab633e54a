import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isObject, type NativeRules, replayNative, stringOf } from "@cogency/provider/http";
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

/** The parts of an earlier answer of this model, as {@link replayNative} reads them. */
export function replay(message: AssistantMessage, model: string): JsonObject[] | undefined {
  return replayNative(message, { name: providerName, model }, rules);
}

const rules: NativeRules = {
  textOf: (part) => (part.thought ? "" : stringOf(part.text)),
  callOf({ functionCall }) {
    if (!isObject(functionCall)) return undefined;
    const { name, args = {} } = functionCall;
    return { name, args };
  },
  withId: (part, id) => ({ ...part, functionCall: { ...asJson(part.functionCall as object), id } }),
};

/** The value was parsed from JSON. */
function asJson(value: object): JsonObject {
  return value as { [key: string]: Json };
}
