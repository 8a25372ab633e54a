import type { ModelReply, ReplyPart, Wire } from "@cogency/provider/testkit";
import { dataEvent, deltaEvent, doneEvent } from "./chat-events.ts";

/** Chat Completions, as OpenAI's own server speaks them. */
export const chatWire: Wire = {
  answer: ({ parts, usage, finish }: ModelReply) => [
    deltaEvent({ role: "assistant", content: "" }),
    ...parts.flatMap((part, place) => deltasOf(part, callsBefore(parts, place)).map((delta) => deltaEvent(delta))),
    deltaEvent({}, finish),
    dataEvent({ choices: [], usage: wireUsage(usage) }),
    doneEvent,
  ],
  failure: (message) => dataEvent({ error: { message, type: "server_error" } }),
  refusal: (_, message) => JSON.stringify({ error: { message, type: "invalid_request_error", param: null } }),
};

function callsBefore(parts: readonly ReplyPart[], place: number): number {
  return parts.slice(0, place).filter(({ type }) => type === "call").length;
}

function deltasOf(part: ReplyPart, index: number): object[] {
  if (part.type === "text") return [{ content: part.text }];
  if (part.type === "reasoning") {
    // As OpenRouter passes on what another server has encrypted.
    const details = [{ type: "reasoning.encrypted", data: part.signature, index: 0 }];
    return [{ reasoning_content: part.text, ...(part.signature && { reasoning_details: details }) }];
  }
  const { id, name, pieces, signature } = part;
  // As Gemini signs a call.
  const extra = signature && { extra_content: { google: { thought_signature: signature } } };
  return [
    { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" }, ...extra }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

function wireUsage({ input, output, cacheRead, cacheWrite, reasoning }: ModelReply["usage"]): object {
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
