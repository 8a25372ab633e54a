import type { ChatChunk } from "../message.ts";
import type { AnswerPart, ToolPart } from "./part.ts";

/** The chunks that make a part anew. `unit` is the id of a text. */
export function partChunks(part: AnswerPart, unit: string): ChatChunk[] {
  switch (part.type) {
    case "text":
    case "reasoning": {
      const { type, text: delta, state } = part;
      return [
        { type: `${type}-start`, id: unit },
        ...(delta === "" ? [] : [{ type: `${type}-delta` as const, id: unit, delta }]),
        ...(state === "done" ? [{ type: `${type}-end` as const, id: unit }] : []),
      ];
    }
    case "step-start":
      return [{ type: "start-step" }];
    case "file": {
      const { type, mediaType, url, providerMetadata } = part;
      return [{ type, mediaType, url, ...(providerMetadata && { providerMetadata }) }];
    }
    default:
      return "toolCallId" in part ? toolChunks(part) : [part as ChatChunk];
  }
}

/** A call of a tool of the client is offered to it only while its output is missing. */
function toolChunks(part: ToolPart): ChatChunk[] {
  const { type, toolCallId, state, input, providerExecuted } = part;
  const toolName = type.slice("tool-".length);
  if (state === "input-streaming") {
    const { rawInput = "" } = part;
    return [
      { type: "tool-input-start", toolCallId, toolName, providerExecuted: true },
      ...(rawInput === "" ? [] : [{ type: "tool-input-delta", toolCallId, inputTextDelta: rawInput } as const]),
    ];
  }
  const isAsked = state === "input-available" && !providerExecuted;
  return [
    { type: "tool-input-available", toolCallId, toolName, input, providerExecuted: !isAsked },
    ...approvalChunks(part),
    ...outputChunks(part),
  ];
}

function approvalChunks({ toolCallId, approval }: ToolPart): ChatChunk[] {
  if (!approval) return [];
  const { id: approvalId, descriptor, requestReason, approved, reason } = approval;
  return [
    {
      type: "tool-approval-request",
      approvalId,
      toolCallId,
      ...(descriptor !== undefined && { approvalDescriptor: descriptor }),
      ...(requestReason !== undefined && { reason: requestReason }),
    },
    ...(approved === undefined
      ? []
      : [{ type: "tool-approval-response", approvalId, approved, ...(reason !== undefined && { reason }) } as const]),
  ];
}

function outputChunks(part: ToolPart): ChatChunk[] {
  const { toolCallId, state, output, errorText = "", preliminary } = part;
  if (state === "output-denied") return [{ type: "tool-output-denied", toolCallId }];
  if (state === "output-error") return [{ type: "tool-output-error", toolCallId, errorText }];
  if (state === "output-available")
    return [{ type: "tool-output-available", toolCallId, output, ...(preliminary && { preliminary }) }];
  return [];
}
