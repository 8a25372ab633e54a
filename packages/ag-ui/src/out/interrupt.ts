import type { Interrupt } from "@ag-ui/core";
import type { QuestionPart } from "@cogency/protocol/parts";

/** The interrupt of a question that a person answers. */
export function interruptOf(question: QuestionPart): Interrupt {
  const { id, call, name, asks, message, schema, args, concerns, touches, agents } = question;
  if (asks === "answer") {
    return {
      id,
      reason: "input_required",
      toolCallId: call,
      ...(message !== undefined && { message }),
      ...(schema && { responseSchema: schema }),
      metadata: { toolName: name },
    };
  }
  return {
    id,
    reason: "tool_call",
    toolCallId: call,
    message: [`May ${name} run?`, ...concerns.map(({ why }) => why)].join(" "),
    responseSchema: approvalSchema,
    metadata: { toolName: name, concerns, touches, ...(args && { args }), ...(agents && { agents }) },
  };
}

/** What answers a question for approval. */
const approvalSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, reason: { type: "string" } },
  required: ["approved"],
};
