import { offered, type Said, textOf } from "./conversation.ts";
import type { Wire } from "./wire.ts";

interface Block {
  type: string;
  text?: string;
  content?: unknown;
}

/** Anthropic's Messages: claude. */
export const messagesWire: Wire = {
  path: "/messages",
  read(body) {
    const messages = (body.messages ?? []) as { role: string; content: string | Block[] }[];
    const tools = (body.tools ?? []) as { name: string; input_schema?: object }[];
    return {
      tools: tools.map(({ name, input_schema: schema }) => offered(name, schema)),
      said: messages.flatMap(({ role, content }): Said[] => {
        if (role !== "user") return [];
        if (typeof content === "string") return [{ by: "user", text: content }];
        return content.map((block) =>
          block.type === "tool_result"
            ? { by: "tool", text: textOf(block.content) }
            : { by: "user", text: block.text ?? "" },
        );
      }),
    };
  },
  async *write(reply, identity) {
    const message = { id: `msg_${identity}`, type: "message", role: "assistant", model: "mock", content: [] };
    const usage = { input_tokens: 1000, output_tokens: 20 };
    yield { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } };
    if (reply.kind === "text") {
      yield { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
      for await (const text of reply.pieces)
        yield { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } };
    } else {
      const { name, args } = reply.call;
      const block = { type: "tool_use", id: `toolu_${identity}`, name, input: {} };
      const delta = { type: "input_json_delta", partial_json: JSON.stringify(args) };
      yield { type: "content_block_start", index: 0, content_block: block };
      yield { type: "content_block_delta", index: 0, delta };
    }
    yield { type: "content_block_stop", index: 0 };
    const stop = reply.kind === "text" ? "end_turn" : "tool_use";
    yield { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage };
    yield { type: "message_stop" };
  },
};
