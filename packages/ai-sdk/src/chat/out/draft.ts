import type { ChatChunk, ChatMetadata } from "../message.ts";
import { type AnswerPart, type DataPart, isTool, type ToolPart, type UnitPart } from "./part.ts";

/**
 * The message that a page has after the chunks of an answer. The log and a live stream go through it alike.
 *
 * INVARIANT: `parts` and `metadata` are those of `readUIMessageStream` of the AI SDK, but for the input of a call that is being written.
 */
export class Draft {
  readonly id: string;
  parts: AnswerPart[] = [];
  metadata: ChatMetadata = {};
  /** The ids of texts and of reasoning, which their parts do not all have. */
  readonly #unitIds = new WeakMap<AnswerPart, string>();
  readonly #tools = new Map<string, ToolPart>();
  /** The units that are open, by their ids. */
  #units = new Map<string, UnitPart>();

  constructor(id: string) {
    this.id = id;
  }

  tool(id: string): ToolPart | undefined {
    return this.#tools.get(id);
  }

  unit(id: string): UnitPart | undefined {
    return this.#units.get(id);
  }

  /** The id of a text or of reasoning; empty for other parts. */
  idOf(part: AnswerPart): string {
    return this.#unitIds.get(part) ?? "";
  }

  /** The parts of the current step. */
  get step(): AnswerPart[] {
    return this.parts.slice(this.parts.findLastIndex(({ type }) => type === "step-start") + 1);
  }

  apply(chunk: ChatChunk): void {
    switch (chunk.type) {
      case "start-step":
        this.parts.push({ type: "step-start" });
        break;
      case "reset-step":
        for (const part of this.step) if (isTool(part)) this.#tools.delete(part.toolCallId);
        this.parts.length -= this.step.length;
        this.#units.clear();
        break;
      case "file": {
        const { type, mediaType, url, providerMetadata } = chunk;
        const metadata = providerMetadata as { cogency: { toolCallId: string } } | undefined;
        this.parts.push({ type, mediaType, url, ...(metadata && { providerMetadata: metadata }) });
        break;
      }
      case "message-metadata":
      case "finish":
        Object.assign(this.metadata, chunk.messageMetadata);
        break;
      default:
        if (chunk.type.startsWith("data-")) this.#applyData(chunk as DataPart & { transient?: boolean });
        else if ("id" in chunk) this.#applyUnit(chunk);
        else this.#applyTool(chunk);
    }
  }

  #applyUnit(chunk: ChatChunk): void {
    if (chunk.type === "text-start" || chunk.type === "reasoning-start") {
      const part: UnitPart =
        chunk.type === "text-start"
          ? { type: "text", text: "", state: "streaming" }
          : { type: "reasoning", id: chunk.id, text: "", state: "streaming" };
      this.#units.set(chunk.id, part);
      this.#unitIds.set(part, chunk.id);
      this.parts.push(part);
    } else if (chunk.type === "text-delta" || chunk.type === "reasoning-delta") {
      const unit = this.#units.get(chunk.id);
      if (unit) unit.text += chunk.delta;
    } else if (chunk.type === "text-end" || chunk.type === "reasoning-end") {
      const unit = this.#units.get(chunk.id);
      if (unit) unit.state = "done";
      this.#units.delete(chunk.id);
    }
  }

  #applyData({ type, id, data, transient }: DataPart & { transient?: boolean }): void {
    if (transient) return;
    const known = this.parts.find((part): part is DataPart => part.type === type && "id" in part && part.id === id);
    if (known && id !== undefined) known.data = data;
    else this.parts.push({ type, ...(id !== undefined && { id }), data });
  }

  #applyTool(chunk: ChatChunk): void {
    if (chunk.type === "tool-input-start" || chunk.type === "tool-input-available") this.#applyInput(chunk);
    else if (chunk.type === "tool-approval-response") this.#applyResponse(chunk);
    else if ("toolCallId" in chunk) this.#applyToCall(chunk);
  }

  #applyResponse({ approvalId, approved, reason }: Extract<ChatChunk, { type: "tool-approval-response" }>): void {
    const part = this.parts.findLast((one): one is ToolPart => isTool(one) && one.approval?.id === approvalId);
    if (!part) return;
    part.state = "approval-responded";
    part.approval = { ...part.approval, id: approvalId, approved, ...(reason !== undefined && { reason }) };
  }

  #applyToCall(chunk: Extract<ChatChunk, { toolCallId: string }>): void {
    const part = this.tool(chunk.toolCallId);
    if (!part) return;
    if (chunk.type === "tool-input-delta") part.rawInput = (part.rawInput ?? "") + chunk.inputTextDelta;
    else if (chunk.type === "tool-approval-request") request(part, chunk);
    else if (chunk.type === "tool-output-denied") part.state = "output-denied";
    else if (chunk.type === "tool-output-available" || chunk.type === "tool-output-error") end(part, chunk);
  }

  #applyInput(chunk: Extract<ChatChunk, { type: "tool-input-start" | "tool-input-available" }>): void {
    const { toolCallId, toolName, providerExecuted = true } = chunk;
    const tool = this.tool(toolCallId);
    const known = tool && this.step.includes(tool) ? tool : undefined;
    const part: ToolPart = known ?? {
      type: `tool-${toolName}`,
      toolCallId,
      state: "input-streaming",
      providerExecuted,
    };
    if (!known) {
      this.parts.push(part);
      this.#tools.set(toolCallId, part);
    }
    clear(part);
    Object.assign(part, { type: `tool-${toolName}`, providerExecuted, state: "input-streaming" });
    if (chunk.type === "tool-input-available") Object.assign(part, { state: "input-available", input: chunk.input });
  }
}

function request(part: ToolPart, chunk: Extract<ChatChunk, { type: "tool-approval-request" }>): void {
  const { approvalId, approvalDescriptor: descriptor, reason } = chunk;
  part.state = "approval-requested";
  part.approval = {
    id: approvalId,
    ...(descriptor !== undefined && { descriptor }),
    ...(reason !== undefined && { requestReason: reason }),
  };
}

function end(part: ToolPart, chunk: Extract<ChatChunk, { type: "tool-output-available" | "tool-output-error" }>): void {
  const { input } = part;
  clear(part);
  if (chunk.providerExecuted !== undefined) part.providerExecuted = chunk.providerExecuted;
  if (input !== undefined) part.input = input;
  if (chunk.type === "tool-output-available") {
    Object.assign(part, { state: "output-available", output: chunk.output });
    if (chunk.preliminary) part.preliminary = true;
  } else Object.assign(part, { state: "output-error", errorText: chunk.errorText });
}

/** Takes out what only one state of a call has. */
function clear(part: ToolPart): void {
  for (const field of ["input", "output", "errorText", "rawInput", "preliminary"] as const) delete part[field];
}
