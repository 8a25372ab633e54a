import type { ToolSpec, Usage } from "@cogency/protocol";
import type { ModelRequest } from "../provider.ts";
import type { ModelReply, ReplyPart } from "./harness.ts";

export const sampleRequest: ModelRequest = {
  system: "You take part in a test.",
  messages: [{ role: "user", content: "Say good morning in several pieces." }],
};

export const sampleUsage: Usage = { input: 11, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export const plainReply = replyOf(["Good ", "morning, ", "and ", "be ", "welcome."].map(text));

/** Characters of 1, 2, 3 and 4 bytes in UTF-8, and a family of several code points. */
export const unicodeReply = replyOf(["aé", "€ ", "𝄞", "👩‍🚀 ", "z"].map(text));

/** Texts that a careless parser of lines or of JSON gets wrong. */
export const awkwardReply = replyOf(
  [" lead", "\n\ndata: x\n\n", "[DONE]", " ", '"\\', "\u2028\u0000\t", "event: error\r\n", "{}", "  trail \n"].map(
    text,
  ),
);

export const lookup: ToolSpec = {
  name: "lookup",
  description: "Looks a topic up in the sample's encyclopedia.",
  parameters: {
    type: "object",
    properties: { topic: { type: "string", description: "One word." } },
    required: ["topic"],
  },
};

export const toolRequest: ModelRequest = { ...sampleRequest, tools: [lookup] };

export function replyOf(parts: readonly ReplyPart[], rest: Partial<ModelReply> = {}): ModelReply {
  const finish = parts.some(({ type }) => type === "call") ? "tool_calls" : "stop";
  return { parts, usage: sampleUsage, finish, ...rest };
}

export function text(content: string): ReplyPart {
  return { type: "text", text: content };
}

export function reasoning(content: string, signature?: string): ReplyPart {
  return { type: "reasoning", text: content, ...(signature && { signature }) };
}

export function call(id: string, pieces: readonly string[], signature?: string): ReplyPart {
  return { type: "call", id, name: lookup.name, pieces, ...(signature && { signature }) };
}

/** The text of the reply. */
export function textIn({ parts }: ModelReply): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
