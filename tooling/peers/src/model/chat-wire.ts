import { offered, type Said, textOf } from "./conversation.ts";
import type { Wire } from "./wire.ts";

interface Message {
  role: string;
  content: unknown;
}

/** Chat Completions: cogency, pi and opencode. */
export const chatWire: Wire = {
  path: "/chat/completions",
  read(body) {
    const messages = (body.messages ?? []) as Message[];
    const tools = (body.tools ?? []) as { function?: { name: string; parameters?: object } }[];
    return {
      tools: tools.map(({ function: of }) => offered(of?.name, of?.parameters)),
      said: messages.flatMap(({ role, content }): Said[] =>
        role === "user" || role === "tool" ? [{ by: role, text: textOf(content) }] : [],
      ),
    };
  },
  async *write(reply, identity) {
    const chunk = (delta: object, finish: string | null = null) => ({
      id: identity,
      object: "chat.completion.chunk",
      created: 1,
      model: "mock",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    yield chunk({ role: "assistant", content: "" });
    if (reply.kind === "text") {
      for await (const content of reply.pieces) yield chunk({ content });
    } else {
      const { name, args } = reply.call;
      const of = { name, arguments: JSON.stringify(args) };
      yield chunk({ tool_calls: [{ index: 0, id: `call_${identity}`, type: "function", function: of }] });
    }
    yield chunk({}, reply.kind === "text" ? "stop" : "tool_calls");
    const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
    yield { ...chunk({}), choices: [], usage };
    yield "[DONE]";
  },
};
