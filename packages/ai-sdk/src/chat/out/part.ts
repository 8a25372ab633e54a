/**
 * A part of an answer while it is made: what `readUIMessageStream` of the AI SDK makes of the same chunks, without the fields that are
 * undefined.
 */
export type AnswerPart = UnitPart | ToolPart | DataPart | FilePart | StepPart;

export interface UnitPart {
  type: "text" | "reasoning";
  /** Of reasoning only. */
  id?: string;
  text: string;
  state: "streaming" | "done";
}

export interface ToolPart {
  type: `tool-${string}`;
  toolCallId: string;
  state:
    | "input-streaming"
    | "input-available"
    | "approval-requested"
    | "approval-responded"
    | "output-available"
    | "output-error"
    | "output-denied";
  /** True for what runs on the server. */
  providerExecuted: boolean;
  input?: unknown;
  rawInput?: string;
  output?: unknown;
  errorText?: string;
  preliminary?: true;
  approval?: { id: string; descriptor?: unknown; requestReason?: string; approved?: boolean; reason?: string };
}

export interface DataPart {
  type: `data-${string}`;
  id?: string;
  data: unknown;
}

interface FilePart {
  type: "file";
  mediaType: string;
  url: string;
  filename?: string;
  providerMetadata?: { cogency: { toolCallId: string } };
}

interface StepPart {
  type: "step-start";
}

export function isTool(part: AnswerPart): part is ToolPart {
  return part.type.startsWith("tool-");
}
