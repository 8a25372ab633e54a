import { formatCalls, formatThink, type ToolCall, type Usage } from "@cogency/protocol";
import type { ModelReply, ReplyPart } from "@cogency/provider/testkit";
import type { Step } from "./script.ts";

/** How a model writes for a driver: the text protocol in its two dialects, native calls, decisions. */
export type Form = "json" | "xml" | "native" | "react";

/** What the model sends for a step, in the form of its driver and with the white space that the system prompt shows. */
export function replyOf(step: Step, form: Form, usage: Usage, id: string): ModelReply {
  const parts = writers[form](step, id);
  return { parts, usage, finish: parts.some(({ type }) => type === "call") ? "tool_calls" : "stop" };
}

const writers: Record<Form, (step: Step, id: string) => ReplyPart[]> = {
  json: (step) => [text(blocks(step, (calls) => formatCalls(calls)))],
  xml: (step) => [text(blocks(step, (calls) => formatCalls(calls, { dialect: "xml" })))],
  native({ thought, call, answer }, id) {
    const reasoning: ReplyPart = { type: "reasoning", text: thought };
    if (!call) return [reasoning, text(answer)];
    return [reasoning, { type: "call", id, name: call.name, pieces: [JSON.stringify(call.args)] }];
  },
  react({ thought, call, answer }) {
    const decision = call ? { type: "call_tool", tool: call.name, args: call.args } : { type: "final_answer", answer };
    return [text(JSON.stringify({ thought, ...decision }))];
  },
};

function blocks({ thought, call, answer }: Step, format: (calls: ToolCall[]) => string): string {
  return [formatThink(thought), call ? format([call]) : `${answer}\n\n<end>`].join("\n\n");
}

const text = (content: string): ReplyPart => ({ type: "text", text: content });
