import type { AgUiEvent } from "../ag-ui-event.ts";

export type UnitKind = "text" | "thinking";

export function unitStart(messageId: string, kind: UnitKind): AgUiEvent[] {
  if (kind === "text") return [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }];
  return [
    { type: "REASONING_START", messageId },
    { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
  ];
}

export function unitContent(messageId: string, kind: UnitKind, delta: string): AgUiEvent[] {
  if (delta === "") return [];
  return [{ type: kind === "text" ? "TEXT_MESSAGE_CONTENT" : "REASONING_MESSAGE_CONTENT", messageId, delta }];
}

export function unitEnd(messageId: string, kind: UnitKind): AgUiEvent[] {
  if (kind === "text") return [{ type: "TEXT_MESSAGE_END", messageId }];
  return [
    { type: "REASONING_MESSAGE_END", messageId },
    { type: "REASONING_END", messageId },
  ];
}
