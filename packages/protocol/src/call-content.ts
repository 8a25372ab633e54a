import type { CallEvent } from "./events.ts";
import { jsonText } from "./text/json-text.ts";
import type { ToolCall } from "./tool.ts";

/** Writes the `content` of a `call` event. */
export function callContent(name: string, args: ToolCall["args"]): string {
  return jsonText({ name, args });
}

/**
 * Reads the call of a `call` event.
 *
 * @throws TypeError if the content is not the JSON text of a call, which no parser writes
 */
export function callOf(event: Pick<CallEvent, "content" | "id">): ToolCall {
  const { name, args } = (parsed(event.content) ?? {}) as Partial<ToolCall>;
  if (typeof name !== "string" || typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError(`Not the JSON text of a call: ${event.content.slice(0, 80)}`);
  }
  return event.id === undefined ? { name, args } : { name, args, id: event.id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
