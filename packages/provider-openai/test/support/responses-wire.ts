import type { Provider } from "@cogency/provider";
import { createGate } from "@cogency/provider/http";
import type { ModelReply, ReplyPart, Wire, WireAddress } from "@cogency/provider/testkit";
import { createEndpoint } from "../../src/endpoint/create-endpoint.ts";
import { ownFlavor } from "../../src/presets.ts";
import { responsesStream } from "../../src/responses/stream.ts";
import { responsesThinking } from "../../src/thinking.ts";

/** The Responses wire as OpenAI speaks it. */
export const responsesWire: Wire = { answer, failure, refusal };

function answer({ parts, usage, finish }: ModelReply): string[] {
  const items = outputItems(parts);
  const created = { id: "resp_1", object: "response", status: "in_progress", output: [], usage: null };
  const [type, fields] = terminalEvents[finish] ?? ["response.cancelled", { status: "cancelled" }];
  const ended = {
    ...created,
    ...fields,
    output: items.map(({ whole }) => whole),
    usage: {
      input_tokens: usage.input + usage.cacheRead + usage.cacheWrite,
      input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.cacheRead + usage.cacheWrite + usage.output,
    },
  };
  const events: EventBody[] = [
    { type: "response.created", response: created },
    { type: "response.in_progress", response: created },
    ...items.flatMap(({ events }) => events),
    { type, response: ended },
  ];
  return events.map((event, sequence_number) => responsesEvent({ ...event, sequence_number }));
}

const terminalEvents: Partial<Record<ModelReply["finish"], [string, object]>> = {
  stop: ["response.completed", { status: "completed" }],
  tool_calls: ["response.completed", { status: "completed" }],
  length: ["response.incomplete", { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }],
  content_filter: ["response.incomplete", { status: "incomplete", incomplete_details: { reason: "content_filter" } }],
};

function failure(message: string): string {
  return responsesEvent({ type: "error", code: "server_error", message, param: null, sequence_number: 7 });
}

function refusal(_status: number, message: string): string {
  return JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } });
}

/** One event of the wire, the bytes of it. */
export function responsesEvent(event: EventBody): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

interface EventBody {
  type: string;
  [field: string]: unknown;
}

interface WireItem {
  events: EventBody[];
  whole: object;
}

function outputItems(parts: readonly ReplyPart[]): WireItem[] {
  return runsOf(parts).map((run, index) => {
    const [first] = run;
    if (first.type === "call") return callItem(first, index);
    const pieces = run.flatMap((part) => (part.type === "call" ? [] : part.text));
    return first.type === "text" ? messageItem(pieces, index) : reasoningItem(pieces, index, first.signature);
  });
}

/** Pieces of text that follow one another are one item, and so are those of reasoning; each call is one. */
function runsOf(parts: readonly ReplyPart[]): [ReplyPart, ...ReplyPart[]][] {
  const runs: [ReplyPart, ...ReplyPart[]][] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    if (run && part.type !== "call" && run[0].type === part.type) run.push(part);
    else runs.push([part]);
  }
  return runs;
}

function messageItem(pieces: readonly string[], output_index: number): WireItem {
  const place = { item_id: `msg_${output_index}`, output_index, content_index: 0 };
  const item = { type: "message", id: place.item_id, role: "assistant" };
  const part = { type: "output_text", text: pieces.join(""), annotations: [] };
  const whole = { ...item, status: "completed", content: [part] };
  return {
    events: [
      { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress", content: [] } },
      { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
      ...pieces.map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
      { type: "response.output_text.done", ...place, text: part.text },
      { type: "response.content_part.done", ...place, part },
      { type: "response.output_item.done", output_index, item: whole },
    ],
    whole,
  };
}

function reasoningItem(
  pieces: readonly string[],
  output_index: number,
  encrypted = `encrypted-${output_index}`,
): WireItem {
  const place = { item_id: `rs_${output_index}`, output_index, summary_index: 0 };
  const item = { type: "reasoning", id: place.item_id };
  const part = { type: "summary_text", text: pieces.join("") };
  const whole = { ...item, summary: [part], encrypted_content: encrypted };
  return {
    events: [
      { type: "response.output_item.added", output_index, item: { ...item, summary: [] } },
      { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
      ...pieces.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
      { type: "response.reasoning_summary_text.done", ...place, text: part.text },
      { type: "response.reasoning_summary_part.done", ...place, part },
      { type: "response.output_item.done", output_index, item: whole },
    ],
    whole,
  };
}

function callItem({ id, name, pieces }: ReplyPart & { type: "call" }, output_index: number): WireItem {
  const place = { item_id: `fc_${output_index}`, output_index };
  const item = { type: "function_call", id: place.item_id, call_id: id, name };
  const text = pieces.join("");
  const whole = { ...item, arguments: text, status: "completed" };
  return {
    events: [
      { type: "response.output_item.added", output_index, item: { ...item, arguments: "", status: "in_progress" } },
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
      { type: "response.function_call_arguments.done", ...place, name, arguments: text },
      { type: "response.output_item.done", output_index, item: whole },
    ],
    whole,
  };
}

/** The wire at this address, as a provider. */
export function responsesProvider({ url, apiKey, timeouts = {}, limits = {} }: WireAddress): Provider {
  const settings = { apiKey, timeouts, limits, name: "openai", model: "gpt-5.5" };
  const endpoint = createEndpoint({ ...settings, url: new URL(`${url}/v1`), flavor: ownFlavor });
  return {
    name: endpoint.name,
    model: endpoint.model,
    capabilities: {
      tools: true,
      session: false,
      reasoning: true,
      thinking: true,
      format: true,
      attachments: ["image", "file"],
    },
    stream: createGate(responsesThinking)(responsesStream(endpoint)),
  };
}
