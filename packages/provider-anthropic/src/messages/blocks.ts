import type { Json, JsonObject } from "@cogency/protocol";
import { isObject, sourceText, stringOf } from "@cogency/provider/http";
import type { WireBlock } from "./wire.ts";

/** The part of a content block that has been received. */
export interface Block {
  /** The block's position in the answer; see `State.offset`. */
  readonly index: number;
  /** The block as the server began it. */
  readonly start: WireBlock;
  /** The text or the thinking so far; of a tool, the JSON text of its input that came in deltas. */
  readonly text: string;
  readonly signature: string;
  readonly citations: readonly unknown[];
  /** Of a call of one of our tools. */
  readonly call?: { readonly index: number; readonly id: string };
  /** A delta of an unknown type was added, so that the whole block is not known. */
  readonly isOpaque: boolean;
}

export function newBlock(index: number, start: WireBlock, call: Block["call"]): Block {
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

/** Whether the server runs or forwards the call itself: `server_tool_use`, `mcp_tool_use`. */
export function isServerCall({ start }: Block): boolean {
  return start.type.endsWith("_tool_use");
}

/** The JSON text of a tool's input. Without any deltas it is the input that the block began with. */
export function inputText({ start, text }: Pick<Block, "start" | "text">): string {
  return text || (isObject(start.input) ? sourceText(start.input) : "{}");
}

/** Whether none of a tool's input has arrived. */
export function hasNoInput({ start, text }: Block): boolean {
  return "input" in start && text === "" && inputText({ start, text }) === "{}";
}

/**
 * The block as the server accepts it back, with its fields in the order in which they came; undefined if the block was cut
 * off or is opaque.
 */
export function wholeBlock(block: Block): JsonObject | undefined {
  const { start, text, signature, citations, isOpaque } = block;
  if (isOpaque) return undefined;
  switch (start.type) {
    case "text":
      return asJson({ ...start, text, ...(citations.length > 0 ? { citations } : {}) });
    case "thinking":
      return signature === "" ? undefined : asJson({ ...start, thinking: text, signature });
    default:
      return "input" in start ? withInput(block) : asJson(start);
  }
}

function withInput(block: Block): JsonObject | undefined {
  try {
    return asJson({ ...block.start, input: JSON.parse(inputText(block)) });
  } catch {
    return undefined;
  }
}

/** The value was parsed from JSON. */
function asJson(value: object): JsonObject {
  return value as { [key: string]: Json };
}
