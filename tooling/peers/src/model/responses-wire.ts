import { offered, type Said, textOf } from "./conversation.ts";
import type { Reply } from "./reply.ts";
import type { Wire, WireEvent } from "./wire.ts";

interface Item {
  type?: string;
  role?: string;
  content?: unknown;
  output?: unknown;
}

/** Responses: codex. */
export const responsesWire: Wire = {
  path: "/responses",
  read(body) {
    const items = (body.input ?? []) as Item[];
    const tools = (body.tools ?? []) as { name?: string; type: string; parameters?: object }[];
    return {
      tools: tools.map(({ name, type, parameters }) => offered(name ?? type, parameters)),
      said: items.flatMap(({ type, role, content, output }): Said[] => {
        if (type?.endsWith("_call_output")) return [{ by: "tool", text: textOf(output) }];
        return role === "user" ? [{ by: "user", text: textOf(content) }] : [];
      }),
    };
  },
  async *write(reply, identity) {
    const response = { id: `resp_${identity}`, object: "response", created_at: 1, model: "mock" };
    yield { type: "response.created", response: { ...response, status: "in_progress", output: [] } };
    let item: Record<string, unknown> | undefined;
    for await (const event of reply.kind === "text" ? textItem(reply.pieces, identity) : callItem(reply, identity)) {
      if (event.type === "response.output_item.done") item = event.item as Record<string, unknown>;
      yield event;
    }
    const usage = {
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1020,
    };
    yield { type: "response.completed", response: { ...response, status: "completed", output: [item], usage } };
  },
};

async function* textItem(
  pieces: Iterable<string> | AsyncIterable<string>,
  identity: string,
): AsyncGenerator<Exclude<WireEvent, string>> {
  const message = { id: `msg_${identity}`, type: "message", role: "assistant" };
  const place = { item_id: message.id, output_index: 0, content_index: 0 };
  yield {
    type: "response.output_item.added",
    output_index: 0,
    item: { ...message, status: "in_progress", content: [] },
  };
  let text = "";
  for await (const delta of pieces) {
    text += delta;
    yield { type: "response.output_text.delta", ...place, delta };
  }
  const content = [{ type: "output_text", text, annotations: [] }];
  yield { type: "response.output_item.done", output_index: 0, item: { ...message, status: "completed", content } };
}

function* callItem(
  { call }: Extract<Reply, { kind: "call" }>,
  identity: string,
): Generator<Exclude<WireEvent, string>> {
  const { name, args } = call;
  const named = { id: `item_${identity}`, call_id: `call_${identity}`, name, status: "completed" };
  const item =
    typeof args === "string"
      ? { ...named, type: "custom_tool_call", input: args }
      : { ...named, type: "function_call", arguments: JSON.stringify(args) };
  yield { type: "response.output_item.added", output_index: 0, item };
  yield { type: "response.output_item.done", output_index: 0, item };
}
