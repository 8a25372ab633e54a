import type { AssistantMessage, Json, JsonObject } from "@cogency/protocol";
import { isObject } from "../wire-values.ts";
import { messageText } from "./whole-item.ts";

/**
 * The output items of a completed answer, if they say more than its text and its calls do – reasoning, what hosted tools
 * found, the phase of a message – and the server will take them back from a client that is the conversation's only
 * memory. Otherwise nothing is kept: a message without its native blocks is always understood.
 */
export function nativeItems(items: readonly JsonObject[]): JsonObject[] | undefined {
  const isTold = items.every(isPlain);
  if (isTold || items.at(-1)?.type === "reasoning" || !items.every((item) => isReplayable(item, items)))
    return undefined;
  return [...items];
}

function isPlain({ type, phase, caller, namespace }: JsonObject): boolean {
  return (type === "message" && !phase) || (type === "function_call" && !caller && !namespace);
}

function isReplayable(item: JsonObject, items: readonly JsonObject[]): boolean {
  // The server gives longer ids than it takes.
  if (typeof item.id === "string" && item.id.length > longestId) return false;
  switch (item.type) {
    case "message":
    case "function_call":
      return true;
    case "reasoning":
      // Without either it is a mere reference to what the server, told not to store anything, does not have.
      return Boolean(item.encrypted_content) || (Array.isArray(item.content) && item.content.length > 0);
    case "image_generation_call":
      return false;
    default:
      // The call of a tool that is not ours to run and was not run by the server would stand there unanswered.
      return item.call_id === undefined || items.some((other) => other !== item && other.call_id === item.call_id);
  }
}

const longestId = 64;

/**
 * The items as they were received, if they still say what the message says; undefined otherwise. The log may know a call
 * by another id than the server does, and then that of the log is sent.
 */
export function replayItems({ content, calls = [], native }: AssistantMessage): JsonObject[] | undefined {
  const items = native?.data;
  if (!isItems(items)) return undefined;
  const said = items.flatMap((item) => (item.type === "message" ? [messageText(item)] : []));
  if (withoutSpace(said.join("")) !== withoutSpace(content)) return undefined;

  const remaining = [...calls];
  const replayed: JsonObject[] = [];
  for (const item of items) {
    if (item.type !== "function_call") {
      replayed.push(item);
      continue;
    }
    const call = remaining.shift();
    if (!call || call.name !== item.name || JSON.stringify(call.args) !== compact(item.arguments)) return undefined;
    replayed.push(item.call_id === call.id ? item : { ...item, call_id: call.id });
  }
  return remaining.length === 0 ? replayed : undefined;
}

function isItems(data: Json | undefined): data is JsonObject[] {
  return Array.isArray(data) && data.length > 0 && data.every(isObject);
}

/** Layout is not kept by the log. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

function compact(text: Json | undefined): string | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.stringify(JSON.parse(text.trim() || "{}"));
  } catch {
    return undefined;
  }
}
