import type { ToolResult } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { Change } from "@cogency/server/bridge";
import type { ChatChunk, ChatQuestion } from "../message.ts";
import type { Draft } from "./draft.ts";
import { fileOf } from "./files.ts";
import { isTool, type ToolPart } from "./part.ts";

type CallEnd = Extract<Change, { type: "call_end" }>;

/** Calls of an answer, and the questions about them. What runs on the server is `providerExecuted`, so that a page does not run it, too. */
export class AnswerCalls {
  readonly #draft: Draft;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  read(change: Change): ChatChunk[] {
    switch (change.type) {
      case "call":
        return [{ type: "tool-input-start", toolCallId: change.id, toolName: change.name, providerExecuted: true }];
      case "call_delta":
        return this.#draft.tool(change.id)?.state === "input-streaming"
          ? [{ type: "tool-input-delta", toolCallId: change.id, inputTextDelta: change.text }]
          : [];
      case "call_ready":
        return [inputOf(change.id, change.name, change.args, true)];
      case "call_changed":
        return this.#changed(change);
      case "call_progress":
        return this.#draft.tool(change.id)
          ? [{ type: "tool-output-available", toolCallId: change.id, output: change.update, preliminary: true }]
          : [];
      case "call_end":
        return this.#ended(change);
      case "question":
        return this.#asked(change.part);
      case "question_end":
        return this.#answered(change.part);
      default:
        return [];
    }
  }

  /** Calls that wait for a person have no output yet, whatever their progress was. */
  withoutProgress(): ChatChunk[] {
    return this.#draft.parts.flatMap((part) => (isTool(part) && part.preliminary ? this.#again(part, part.input) : []));
  }

  #changed({ id, name, args }: Extract<Change, { type: "call_changed" }>): ChatChunk[] {
    const part = this.#draft.tool(id);
    return part ? this.#again(part, args, name) : [];
  }

  /** The call with this input, which has not ended: with the approval that it has. */
  #again(part: ToolPart, input: unknown, name = part.type.slice("tool-".length)): ChatChunk[] {
    const { id: approvalId, approved, reason } = part.approval ?? {};
    const ready = inputOf(part.toolCallId, name, input, true);
    if (approvalId === undefined || approved === undefined) return [ready];
    return [ready, { type: "tool-approval-response", approvalId, approved, ...(reason !== undefined && { reason }) }];
  }

  #ended(change: CallEnd): ChatChunk[] {
    const { id: toolCallId, name, outcome, result } = change;
    const part = this.#draft.tool(toolCallId);
    if (!part) return [];
    const unread = part.state === "input-streaming" ? [inputOf(toolCallId, name, {}, true)] : [];
    if (outcome === "success")
      return [
        ...unread,
        { type: "tool-output-available", toolCallId, output: result?.content ?? null, ...settled(part) },
        ...attached(toolCallId, result),
      ];
    const { approval } = part;
    if (approval && approval.approved !== true) return [...unread, ...denied(toolCallId, approval)];
    const errorText = typeof result?.content === "string" ? result.content : "The call did not end.";
    return [
      ...unread,
      { type: "tool-output-error", toolCallId, errorText, ...settled(part) },
      ...attached(toolCallId, result),
    ];
  }

  #asked(question: QuestionPart): ChatChunk[] {
    const { id, call: toolCallId, concerns, touches, message } = question;
    const part = this.#draft.tool(toolCallId);
    if (!part) return [];
    if (question.client) return [inputOf(toolCallId, question.name, question.args ?? part.input, false)];
    if (!isOfCall(question)) return [dataOf(question)];
    const reason = message ?? concerns.map(({ why }) => why).join("\n");
    return [
      {
        type: "tool-approval-request",
        approvalId: id,
        toolCallId,
        approvalDescriptor: { concerns, touches },
        ...(reason !== "" && { reason }),
      },
    ];
  }

  #answered(question: QuestionPart): ChatChunk[] {
    const { id, call, decision, reason } = question;
    const part = this.#draft.tool(call);
    if (!part || question.client) return [];
    if (!isOfCall(question)) return [dataOf(question)];
    const isOpen = part.state === "approval-requested" && part.approval?.id === id;
    if (!isOpen || decision === undefined) return [];
    const approved = decision === "approved";
    return [{ type: "tool-approval-response", approvalId: id, approved, ...(reason !== undefined && { reason }) }];
  }
}

/** Whether the question stands in its call: an approval of the call itself. */
function isOfCall({ asks, agents = [] }: QuestionPart): boolean {
  return asks === "approval" && agents.length === 0;
}

function inputOf(toolCallId: string, toolName: string, input: unknown, providerExecuted: boolean): ChatChunk {
  return { type: "tool-input-available", toolCallId, toolName, input, providerExecuted };
}

/** A page answers no call of its tools that has ended, and sends nothing because of it: it would, again and again. */
function settled({ providerExecuted }: ToolPart): { providerExecuted?: true } {
  return providerExecuted ? {} : { providerExecuted: true };
}

/** A call that nobody has approved, and which has ended, was denied. */
function denied(toolCallId: string, approval: NonNullable<ToolPart["approval"]>): ChatChunk[] {
  const { id: approvalId, approved } = approval;
  const silent = { type: "tool-approval-response", approvalId, approved: false, reason: "Nobody answered." } as const;
  return [...(approved === undefined ? [silent] : []), { type: "tool-output-denied", toolCallId }];
}

function attached(toolCallId: string, result: ToolResult | undefined): ChatChunk[] {
  return (result?.attachments ?? []).flatMap((attachment) => {
    const file = fileOf(attachment);
    if (!file) return [];
    const { mediaType, url } = file;
    return [{ type: "file", mediaType, url, providerMetadata: { cogency: { toolCallId } } } as const];
  });
}

function dataOf(question: QuestionPart): ChatChunk {
  const { id, call: toolCallId, name: toolName, asks, agents, args, message, schema, concerns, touches } = question;
  const data: ChatQuestion = {
    id,
    toolCallId,
    toolName,
    asks,
    concerns,
    touches,
    ...(agents && { agents }),
    ...(args && { input: args }),
    ...(message !== undefined && { message }),
    ...(schema && { schema }),
    state: question.open ? "open" : (question.decision ?? "closed"),
    ...(question.answer !== undefined && { content: question.answer }),
    ...(question.reason !== undefined && { reason: question.reason }),
  };
  return { type: "data-question", id, data };
}
