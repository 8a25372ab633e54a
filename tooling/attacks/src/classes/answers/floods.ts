import { drained, flood } from "../../harness/flood.ts";
import {
  anthropicText,
  chatText,
  event,
  geminiPart,
  json,
  manyCalls,
  openedCall,
  packed,
  stream,
  type Write,
  x4k,
} from "./responses.ts";

export interface Flood {
  name: string;
  provider: "chat" | "responses" | "anthropic" | "google";
  how?: "stream" | "generate" | "agent";
  write: Write;
}

export const floods: Flood[] = [
  ...(["chat", "responses", "anthropic", "google"] as const).flatMap((provider): Flood[] => [
    { name: "a packed page of spaces", provider, write: packed("gzip", "application/json") },
    { name: "a packed stream of spaces", provider, write: packed("gzip", "text/event-stream") },
    { name: "a packed stream by brotli", provider, write: packed("br", "text/event-stream") },
    { name: "a packed error by deflate", provider, write: packed("deflate", "application/json", 400) },
    { name: "a packed error that may be tried again", provider, write: packed("gzip", "text/plain", 503) },
    { name: "a packed refusal of the key", provider, write: packed("gzip", "text/html", 401) },
    { name: "an error without end", provider, write: (response) => flood(json(response, 400), '{"error":') },
    { name: "a line without end", provider, write: (response) => flood(stream(response), "data: xxxxxxxx") },
    { name: "a line without end and without a name", provider, write: (response) => flood(stream(response), "x") },
    {
      name: "an event of lines without end",
      provider,
      write: (response) => flood(stream(response), "data: xxxxxxxx\n"),
    },
    { name: "comments without end", provider, write: (response) => flood(stream(response), ": ping\n") },
    { name: "names of events without end", provider, write: (response) => flood(stream(response), "event: a\n") },
    { name: "empty lines without end", provider, write: (response) => flood(stream(response), "\n") },
    { name: "line ends of the other kind without end", provider, write: (response) => flood(stream(response), "\r") },
  ]),
  { name: "text without end", provider: "chat", write: (response) => flood(stream(response), chatText(x4k)) },
  {
    name: "text without end, collected",
    provider: "chat",
    how: "generate",
    write: (response) => flood(stream(response), chatText(x4k)),
  },
  {
    name: "text without end, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) => flood(stream(response), chatText(x4k)),
  },
  {
    name: "thoughts without end, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) =>
      flood(
        stream(response),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: x4k } }] })}\n\n`,
      ),
  },
  {
    name: "one call's arguments without end",
    provider: "chat",
    write: (response) =>
      flood(
        stream(response),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "a", function: { name: "a", arguments: x4k } }] } }] })}\n\n`,
      ),
  },
  {
    name: "a call without end, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) => openedCall(response),
  },
  {
    name: "calls without number, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) => manyCalls(response),
  },
  {
    name: "calls of ever another number",
    provider: "chat",
    write: async (response) => {
      stream(response);
      let index = 0;
      while (index < 1_000_000 && !response.destroyed) {
        const calls = Array.from({ length: 500 }, () => ({
          index: index++,
          id: `c${index}`,
          function: { name: "a", arguments: "{}" },
        }));
        if (!response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls } }] })}\n\n`)) {
          await drained(response);
        }
      }
      response.end("data: [DONE]\n\n");
    },
  },
  {
    name: "text without end",
    provider: "responses",
    write: (response) =>
      flood(
        stream(response),
        event("response.output_text.delta", {
          type: "response.output_text.delta",
          delta: x4k,
          item_id: "i",
          output_index: 0,
          content_index: 0,
          sequence_number: 1,
        }),
      ),
  },
  {
    name: "text without end",
    provider: "anthropic",
    write: (response) => anthropicText(response, "text_delta", "text"),
  },
  {
    name: "thoughts without end",
    provider: "anthropic",
    write: (response) => anthropicText(response, "thinking_delta", "thinking"),
  },
  {
    name: "a call's arguments without end",
    provider: "anthropic",
    write: (response) => anthropicText(response, "input_json_delta", "partial_json"),
  },
  ...(
    [
      ["text", { text: x4k }],
      ["thoughts", { text: x4k, thought: true }],
      ["calls", { functionCall: { name: "a", args: {} } }],
      ["signatures", { text: "", thoughtSignature: x4k }],
      ["pictures", { inlineData: { mimeType: "image/png", data: x4k } }],
    ] as const
  ).map(
    ([what, part]): Flood => ({
      name: `${what} without end`,
      provider: "google",
      write: (response) => flood(stream(response), geminiPart(part)),
    }),
  ),
  {
    name: "an answer at once, nested without end",
    provider: "chat",
    how: "generate",
    write: (response) => flood(json(response), "["),
  },
  {
    name: "an answer at once, of spaces",
    provider: "chat",
    how: "generate",
    write: (response) => flood(json(response), " "),
  },
  {
    name: "an answer at once, of spaces",
    provider: "anthropic",
    how: "generate",
    write: (response) => flood(json(response), " "),
  },
];
