import type { JsonObject } from "@cogency/protocol";
import { isObject, stringOf } from "@cogency/provider/http";
import { type Finish, readFinish } from "./finish.ts";
import { type Gate, metadataOf } from "./json-gate.ts";
import { keptItem } from "./kept-item.ts";
import { readUsage } from "./usage.ts";
import { thinkingWarning } from "./warnings.ts";

/** A stream part as far as it counts for an answer, the same for all specifications. */
export type Part =
  | { type: "begin" | "end"; kind: TextKind; id: string; metadata?: JsonObject }
  | { type: "piece"; kind: TextKind; id: string; text: string; metadata?: JsonObject }
  | { type: "call-begin"; id: string; name: string; metadata?: JsonObject }
  | { type: "call-piece"; id: string; text: string; metadata?: JsonObject }
  /** A whole call; `input` is JSON text. */
  | { type: "call"; id: string; name: string; input: string; metadata?: JsonObject }
  /** What is only sent back: files, results of tools that the server runs, and parts of a kind that one provider knows. */
  | { type: "kept"; item: JsonObject }
  /** The model was not asked for the level of thinking that was wanted. */
  | { type: "warning"; message: string }
  | { type: "approval" }
  | { type: "failure"; error: unknown }
  | Finish;

export type TextKind = "text" | "reasoning";

/**
 * Reads a part of any specification. What is not of the type that it must be is as if it was empty; undefined for parts that say nothing
 * about the answer, and for unknown ones.
 *
 * @throws ProviderError `answer_too_large` for what is kept and nested too deep
 */
export function readPart(given: unknown, gate: Gate): Part | undefined {
  if (!isObject(given)) return undefined;
  const id = stringOf(given.id);
  const metadata = metadataOf(given.providerMetadata, gate);
  const common = { id, ...(metadata && { metadata }) };
  switch (given.type) {
    case "text-start":
    case "reasoning-start":
      return { type: "begin", kind: kindOf(given.type), ...common };
    case "text-delta":
    case "reasoning-delta":
      return { type: "piece", kind: kindOf(given.type), text: stringOf(given.delta), ...common };
    case "text-end":
    case "reasoning-end":
      return { type: "end", kind: kindOf(given.type), ...common };
    case "tool-input-start":
      // The call of a tool that the server runs is kept once it is whole.
      if (given.providerExecuted === true) return undefined;
      return { type: "call-begin", name: stringOf(given.toolName), ...common };
    case "tool-input-delta":
      return { type: "call-piece", text: stringOf(given.delta), ...common };
    case "tool-call":
      return readCall(given, metadata, gate);
    default:
      return readOther(given, gate);
  }
}

function readOther(given: Record<string, unknown>, gate: Gate): Part | undefined {
  switch (given.type) {
    case "tool-result":
    case "file":
    case "reasoning-file":
    case "custom":
      return kept(keptItem(given, gate));
    case "tool-approval-request":
      return { type: "approval" };
    case "stream-start": {
      const message = thinkingWarning(given.warnings);
      return message === undefined ? undefined : { type: "warning", message };
    }
    case "error":
      return { type: "failure", error: given.error };
    case "finish":
      return {
        type: "finish",
        ...readFinish(given.finishReason),
        usage: readUsage(given.usage, given.providerMetadata),
      };
    default:
      return undefined;
  }
}

function readCall(given: Record<string, unknown>, metadata: JsonObject | undefined, gate: Gate): Part | undefined {
  if (given.providerExecuted === true) return kept(keptItem(given, gate));
  const { toolCallId, toolName, input } = given;
  return {
    type: "call",
    id: stringOf(toolCallId),
    name: stringOf(toolName),
    // Some models give the value instead of its text.
    input: typeof input === "string" ? input : (gate.text(input) ?? ""),
    ...(metadata && { metadata }),
  };
}

function kept(item: JsonObject | undefined): Part | undefined {
  return item && { type: "kept", item };
}

function kindOf(type: string): TextKind {
  return type.startsWith("text") ? "text" : "reasoning";
}
