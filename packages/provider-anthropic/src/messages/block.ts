import type { Json, JsonObject } from "@cogency/protocol";
import { stringOf } from "../wire-values.ts";

/** A content block of an answer, as far as it has come. */
export interface Block {
  /** Its place in the answer; see `State.offset`. */
  readonly index: number;
  /** As the server began it. */
  readonly start: Readonly<Record<string, unknown>> & { readonly type: string };
  /** Its text or its thinking; of a tool the JSON text of its input as far as it came in deltas. */
  readonly text: string;
  readonly signature: string;
  readonly citations: readonly unknown[];
  /** Of a call of ours. */
  readonly call?: { readonly index: number; readonly id: string };
  /** Something was added that is not known here, so that the block cannot be put together. */
  readonly isOpaque: boolean;
}

export function newBlock(index: number, start: Block["start"], call: Block["call"]): Block {
  const text = start.type === "text" ? start.text : start.type === "thinking" ? start.thinking : "";
  return {
    index,
    start,
    text: stringOf(text),
    signature: stringOf(start.signature),
    citations: Array.isArray(start.citations) ? start.citations : [],
    ...(call ? { call } : {}),
    isOpaque: false,
  };
}

/** Whether the server must have this block back to go on as if it had remembered the answer. */
export function isNative({ start, citations }: Block): boolean {
  return citations.length > 0 || (start.type !== "text" && start.type !== "tool_use");
}

/** The JSON text of what a tool is called with. Without any deltas it is what the block began with. */
export function inputText({ start, text }: Pick<Block, "start" | "text">): string {
  return text || JSON.stringify(start.input ?? {});
}

/** A call of a tool that runs on the server, or that the server calls elsewhere: `server_tool_use`, `mcp_tool_use`. */
export function isServerCall({ start }: Block): boolean {
  return start.type.endsWith("_tool_use");
}

/** Whether nothing of the input of a tool has come. */
export function hasNoInput({ start, text }: Block): boolean {
  return "input" in start && text === "" && inputText({ start, text }) === "{}";
}

/**
 * The block in one piece, as the server would take it back, its fields in the order in which they came; undefined if it
 * was cut off or is not understood.
 */
export function wholeBlock(block: Block): JsonObject | undefined {
  const { start, text, signature, citations, isOpaque } = block;
  if (isOpaque) return undefined;
  switch (start.type) {
    case "text":
      return json({ ...start, text, ...(citations.length > 0 ? { citations } : {}) });
    case "thinking":
      return signature === "" ? undefined : json({ ...start, thinking: text, signature });
    default:
      return "input" in start ? withInput(block) : json(start);
  }
}

export function isBlankText(block: JsonObject): boolean {
  return block.type === "text" && typeof block.text === "string" && block.text.trim() === "";
}

export function isThinking({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function withInput(block: Block): JsonObject | undefined {
  try {
    return json({ ...block.start, input: JSON.parse(inputText(block)) });
  } catch {
    return undefined;
  }
}

/** What has been read from JSON is JSON. */
function json(value: object): JsonObject {
  return value as { [key: string]: Json };
}
