import { formatCalls, formatThink, type MessageForm, type ToolCall } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import type { Reply } from "../reply.ts";
import { fillSchema } from "../schema/fill-schema.ts";
import { formOf, isDecision, schemaOf } from "./form.ts";

/** One thing that the model writes, in order. */
export type Piece = { type: "text" | "reasoning"; text: string } | { type: "call"; call: ToolCall };

/** Writes a reply in the form that the request wants. */
export function write(reply: Reply, request: ModelRequest): Piece[] {
  const form = formOf(request);
  const schema = reply.calls.length > 0 ? undefined : schemaOf(request);
  const answer = schema === undefined ? reply.text : jsonText(fillSchema(schema, reply.text));
  switch (form) {
    case "native":
      return [
        ...(reply.thought === "" ? [] : [{ type: "reasoning", text: reply.thought } as const]),
        ...(reply.calls.length > 0 ? [] : [{ type: "text", text: answer } as const]),
        ...reply.calls.map((call) => ({ type: "call", call }) as const),
      ];
    case "react":
      return [{ type: "text", text: JSON.stringify(decision(reply, answer, isDecision(request.format))) }];
    default:
      // A format holds for the whole output, which then has no room for markers.
      return [{ type: "text", text: request.format ? answer : inProtocol({ ...reply, text: answer }, form) }];
  }
}

function inProtocol({ thought, text, calls }: Reply, dialect: Exclude<MessageForm, "native" | "react">): string {
  const end = calls.length > 0 ? [formatCalls(calls, { dialect })] : [text, "<end>"];
  return [...(thought ? [formatThink(thought)] : []), ...end].join("\n\n");
}

/** One call a step, or the answer. With a schema, the choice stands in a field of its own, and arguments are JSON text. */
function decision({ thought, calls: [call] }: Reply, answer: string, hasSchema: boolean): object {
  const choice = call ? { type: "call_tool", tool: call.name } : { type: "final_answer", answer };
  if (!hasSchema) return { thought, ...choice, ...(call && { args: call.args }) };
  return { thought, decision: { ...choice, ...(call && { args: JSON.stringify(call.args) }) } };
}

/** JSON in which no marker of the protocol can stand. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
