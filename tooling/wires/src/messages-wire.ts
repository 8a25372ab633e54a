import type { ModelReply, ReplyPart, Wire } from "@cogency/provider/testkit";

/** Anthropic's Messages, streamed, as its documentation describes them. */
export const wire: Wire = {
  answer({ parts, usage, finish }: ModelReply): string[] {
    const { input, cacheRead, cacheWrite, output, reasoning } = usage;
    const told = { input_tokens: input, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite };
    const details = { output_tokens_details: { thinking_tokens: reasoning } };
    return [
      frame({ type: "message_start", message: { ...message, usage: { ...told, output_tokens: 1 } } }),
      frame({ type: "ping" }),
      ...blocksOf(parts).flatMap(blockFrames),
      frame({
        type: "message_delta",
        delta: { stop_reason: stopReasons[finish], stop_sequence: null },
        usage: { ...told, output_tokens: output, ...details },
      }),
      frame({ type: "message_stop" }),
    ];
  },
  failure: (message) => frame({ type: "error", error: { type: "overloaded_error", message } }),
  refusal: (status, message) =>
    JSON.stringify({ type: "error", error: { type: errorTypes[status] ?? "api_error", message } }),
};

/** One event of the stream. */
export function frame(event: { type: string; [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5-5",
  content: [],
  stop_reason: null,
};

const stopReasons: Record<ModelReply["finish"], string | null> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
  aborted: null,
  other: "something_new",
};

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** Adjacent pieces of text are deltas of one block; every call is a block. */
function blocksOf(parts: readonly ReplyPart[]): ReplyPart[][] {
  const blocks: ReplyPart[][] = [];
  for (const part of parts) {
    const last = blocks.at(-1);
    if (last?.[0]?.type === part.type && part.type !== "call") last.push(part);
    else blocks.push([part]);
  }
  return blocks;
}

function blockFrames(parts: readonly ReplyPart[], index: number): string[] {
  return [
    ...parts.slice(0, 1).map((part) => frame({ type: "content_block_start", index, content_block: startOf(part) })),
    ...parts.flatMap(deltasOf).map((delta) => frame({ type: "content_block_delta", index, delta })),
    frame({ type: "content_block_stop", index }),
  ];
}

function startOf(part: ReplyPart): object {
  switch (part.type) {
    case "text":
      return { type: "text", text: "" };
    case "reasoning":
      return { type: "thinking", thinking: "", signature: "" };
    case "call":
      return { type: "tool_use", id: part.id, name: part.name, input: {} };
  }
}

function deltasOf(part: ReplyPart, index: number, parts: readonly ReplyPart[]): object[] {
  switch (part.type) {
    case "text":
      return [{ type: "text_delta", text: part.text }];
    case "reasoning": {
      const thinking = { type: "thinking_delta", thinking: part.text };
      return index === parts.length - 1
        ? [thinking, { type: "signature_delta", signature: part.signature ?? "c2lnbmVk" }]
        : [thinking];
    }
    case "call":
      return part.pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  }
}
