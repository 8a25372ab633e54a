import type { FinishReason, Json } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import type { Wire } from "../validators/index.ts";
import { sealOf } from "./seals.ts";

/** What a model of a wire answers. */
export interface WireAnswer {
  /** Text, reasoning and whole calls, in order. */
  parts: readonly ModelEvent[];
  finish: FinishReason;
  /** The connection closes in the middle. */
  isCut: boolean;
  /** The server refuses the request, because it is overloaded. */
  isDown: boolean;
  /** Is in every id and signature of the answer. */
  nth: number;
}

/** The bytes in which each wire streams an answer to a body, with what its servers want back: signatures, items, ids. */
export const wireAnswers: Record<Wire, (answer: WireAnswer, body: unknown) => string> = {
  chat: (answer) => framed(chatEvents(answer), answer),
  responses: (answer) => framed(responsesEvents(answer), answer),
  messages: (answer, body) => framed(messagesEvents(answer, isThinking(body)), answer),
  gemini: (answer) => framed(geminiEvents(answer), answer),
};

type WireEvent = { [field: string]: Json };

function framed(events: readonly WireEvent[], { isCut }: WireAnswer): string {
  const sent = isCut ? events.slice(0, -2) : events;
  return sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

function chatEvents({ parts, finish, nth }: WireAnswer): WireEvent[] {
  const calls = parts.filter(({ type }) => type === "tool_call");
  const deltas = parts.flatMap((part): WireEvent[] => {
    switch (part.type) {
      case "text":
        return [{ content: part.text }];
      case "reasoning":
        return [{ reasoning_content: part.text }];
      case "tool_call": {
        const { name, arguments: args } = part;
        // As Gemini signs a call, and with the id that its server might give.
        const extra_content = { google: { thought_signature: `signed-${nth}` } };
        const call = { index: calls.indexOf(part), id: `call_${nth}`, type: "function", extra_content };
        return [{ tool_calls: [{ ...call, function: { name, arguments: args } }] }];
      }
      default:
        return [];
    }
  });
  return [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } },
  ];
}

function responsesEvents({ parts, finish, nth }: WireAnswer): WireEvent[] {
  const items = parts.flatMap((part, at): WireEvent[] => {
    const id = `${nth}_${at}`;
    switch (part.type) {
      case "text": {
        const content = [{ type: "output_text", text: part.text, annotations: [] }];
        return [{ type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content }];
      }
      case "reasoning": {
        const summary = [{ type: "summary_text", text: part.text }];
        return [{ type: "reasoning", id: `rs_${id}`, summary, encrypted_content: `sealed-${id}` }];
      }
      case "tool_call": {
        const { name, arguments: args } = part;
        return [
          { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name, arguments: args, status: "completed" },
        ];
      }
      default:
        return [];
    }
  });
  const isWhole = finish !== "length";
  const response = {
    status: isWhole ? "completed" : "incomplete",
    ...(!isWhole && { incomplete_details: { reason: "max_output_tokens" } }),
    output: items,
    usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
  };
  return [
    ...items.flatMap((item, output_index): WireEvent[] => [
      { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: isWhole ? "response.completed" : "response.incomplete", response },
  ];
}

function isThinking(body: unknown): boolean {
  return (body as { thinking?: { type: string } }).thinking?.type !== "disabled";
}

function messagesEvents({ parts, finish, nth }: WireAnswer, thinks: boolean): WireEvent[] {
  const blocks = parts.flatMap((part, at): { start: WireEvent; deltas: WireEvent[] }[] => {
    switch (part.type) {
      case "text":
        return [{ start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text: part.text }] }];
      case "reasoning": {
        if (!thinks) return [];
        const signed = { type: "signature_delta", signature: sealOf({ thinking: part.text }) };
        const deltas = [{ type: "thinking_delta", thinking: part.text }, signed];
        return [{ start: { type: "thinking", thinking: "", signature: "" }, deltas }];
      }
      case "tool_call": {
        const start = { type: "tool_use", id: `toolu_${nth}_${at}`, name: part.name, input: {} };
        return [{ start, deltas: [{ type: "input_json_delta", partial_json: part.arguments }] }];
      }
      default:
        return [];
    }
  });
  const reasons: Partial<Record<FinishReason, string>> = { length: "max_tokens", tool_calls: "tool_use" };
  const message = { id: `msg_${nth}`, type: "message", role: "assistant", model: "m", content: [] };
  return [
    { type: "message_start", message: { ...message, usage: { input_tokens: 9, output_tokens: 1 } } },
    ...blocks.flatMap(({ start, deltas }, index): WireEvent[] => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: reasons[finish] ?? "end_turn" }, usage: { output_tokens: 3 } },
    { type: "message_stop" },
  ];
}

function geminiEvents({ parts, finish, nth }: WireAnswer): WireEvent[] {
  const calls = parts.filter(({ type }) => type === "tool_call");
  const sent = parts.flatMap((part): WireEvent[] => {
    switch (part.type) {
      case "text":
        // Also without calls an answer is signed at its end, on an empty text.
        return [{ text: part.text }, ...(calls.length > 0 ? [] : [sealed({ text: "" })])];
      case "reasoning":
        return [{ text: part.text, thought: true }];
      case "tool_call": {
        const args = asObject(part.arguments);
        const functionCall = { id: `gemini_${nth}`, name: part.name, args };
        // Of calls side by side the first is signed.
        return [part === calls[0] ? sealed({ functionCall }) : { functionCall }];
      }
      default:
        return [];
    }
  });
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 };
  const candidate = (parts: Json[], more: WireEvent = {}): WireEvent => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  });
  return [
    ...sent.map((part) => candidate([part])),
    { ...candidate([{ text: "" }], { finishReason: finish === "length" ? "MAX_TOKENS" : "STOP" }), usageMetadata },
  ];
}

/** The wire has no place for arguments that are no object: its server would not send such a call. */
function asObject(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

function sealed(part: WireEvent): WireEvent {
  return { ...part, thoughtSignature: sealOf(part) };
}
