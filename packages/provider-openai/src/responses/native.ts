import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isSameJson, wellFormed, wellFormedJson } from "@cogency/provider/http";
import { isObject } from "../wire-values.ts";
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

/**
 * The items of an earlier answer as they were received, if this server and model made them and they still match the
 * message; otherwise undefined. Calls take the ids of the message, because the log may know them by other ids than the
 * server does.
 */
export function replay(message: AssistantMessage, server: Server): JsonObject[] | undefined {
  const { content, calls = [] } = message;
  const items = itemsOf(message, server);
  if (!items) return undefined;
  const texts = items.flatMap((item) => (item.type === "message" ? [messageText(item)] : []));
  if (withoutSpace(texts.join("")) !== withoutSpace(content)) return undefined;

  const remaining = [...calls];
  const replayed: JsonObject[] = [];
  for (const item of items) {
    if (item.type !== "function_call") {
      replayed.push(item);
      continue;
    }
    const call = remaining.shift();
    if (!call || call.name !== item.name || !isSameJson(call.args, parsed(item.arguments))) return undefined;
    replayed.push({ ...item, call_id: call.id, arguments: wellFormedJson(String(item.arguments)) });
  }
  return remaining.length === 0 ? replayed : undefined;
}

interface Server {
  readonly name: string;
  readonly model: string;
  readonly refusals: Refusals;
}

function itemsOf({ native }: AssistantMessage, { name, model, refusals }: Server): JsonObject[] | undefined {
  if (native?.provider !== name || native.model !== model || !isItems(native.data)) return undefined;
  return reasoningIds(native.data).some((id) => refusals.items.has(id)) ? undefined : native.data;
}

function isItems(data: Json): data is JsonObject[] {
  return Array.isArray(data) && data.length > 0 && data.every(isObject);
}

/** The log does not keep layout. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

/** The arguments of an item, without half characters, which no request holds. */
function parsed(text: Json | undefined): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return wellFormed(JSON.parse(text.trim() || "{}"));
  } catch {
    return undefined;
  }
}
