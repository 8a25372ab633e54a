import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { type NativeRules, replayNative, wellFormed, wellFormedJson } from "@cogency/provider/http";
import { type Refusals, reasoningIds } from "./refusals.ts";
import { messageText } from "./wire.ts";

/**
 * The output items of a completed answer, if they hold more than its text and its calls – reasoning, the findings of
 * hosted tools, the phase of a message – and if the server accepts them from a client that keeps the conversation itself.
 * Otherwise undefined: a message without native items is always understood.
 */
export function nativeOf(items: readonly JsonObject[]): JsonObject[] | undefined {
  const hasMore = !items.every(isPlain);
  if (!hasMore || items.at(-1)?.type === "reasoning" || !items.every((item) => isReplayable(item, items)))
    return undefined;
  return [...items];
}

function isPlain({ type, phase, caller, namespace }: JsonObject): boolean {
  return (type === "message" && !phase) || (type === "function_call" && !caller && !namespace);
}

function isReplayable(item: JsonObject, items: readonly JsonObject[]): boolean {
  // The server sends longer ids than it accepts.
  if (typeof item.id === "string" && item.id.length > longestId) return false;
  switch (item.type) {
    case "message":
    case "function_call":
      return true;
    case "reasoning":
      // Without either field the item only refers to reasoning that the server, told not to store anything, does not have.
      return Boolean(item.encrypted_content) || (Array.isArray(item.content) && item.content.length > 0);
    case "image_generation_call":
      return false;
    default:
      // A call of a tool that neither we nor the server ran would be sent back without a result.
      return item.call_id === undefined || items.some((other) => other !== item && other.call_id === item.call_id);
  }
}

const longestId = 64;

/** The items of an earlier answer of this server and model, as {@link replayNative} reads them. */
export function replay(message: AssistantMessage, server: Server): JsonObject[] | undefined {
  const { items } = server.refusals;
  if (reasoningIds(message.native?.data).some((id) => items.has(id))) return undefined;
  return replayNative(message, server, rules);
}

interface Server {
  readonly name: string;
  readonly model: string;
  readonly refusals: Refusals;
}

const rules: NativeRules = {
  textOf: (item) => (item.type === "message" ? messageText(item) : ""),
  callOf: ({ type, name, arguments: args }) => (type === "function_call" ? { name, args: parsed(args) } : undefined),
  withId: (item, id) => ({ ...item, call_id: id, arguments: wellFormedJson(String(item.arguments)) }),
};

/** The arguments of an item, without half characters, which no request holds. */
function parsed(text: Json | undefined): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return wellFormed(JSON.parse(text.trim() || "{}"));
  } catch {
    return undefined;
  }
}
