import type { ServerResponse } from "node:http";
import { bomb, flood } from "../../harness/flood.ts";

export type Write = (response: ServerResponse) => unknown;
export const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

export const json = (response: ServerResponse, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" });

export const packed =
  (packing: "gzip" | "deflate" | "br", type: string, status = 200, text?: string): Write =>
  (response) => {
    response.writeHead(status, { "content-type": type, "content-encoding": packing });
    response.end(bomb(packing, text));
  };

export const chatText = (text: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
export const x4k = "x".repeat(4000);

export function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function openedCall(response: ServerResponse): Promise<void> {
  stream(response).write(chatText('<execute>[{"name":"a","args":{"x":"'));
  return flood(response, chatText(x4k));
}

export function manyCalls(response: ServerResponse): Promise<void> {
  stream(response).write(chatText("<execute>["));
  return flood(response, chatText('{"name":"a","args":{}},'.repeat(200)), 100 * 2 ** 20);
}

export function geminiPart(part: object): string {
  return `data: ${JSON.stringify({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] })}\n\n`;
}

export function anthropicText(response: ServerResponse, type: string, field: string): Promise<void> {
  stream(response).write(
    event("message_start", {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        content: [],
        model: "m",
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
  );
  const block =
    type === "input_json_delta"
      ? { type: "tool_use", id: "t", name: "a", input: {} }
      : type === "text_delta"
        ? { type: "text", text: "" }
        : { type: "thinking", thinking: "", signature: "" };
  response.write(event("content_block_start", { type: "content_block_start", index: 0, content_block: block }));
  return flood(
    response,
    event("content_block_delta", { type: "content_block_delta", index: 0, delta: { type, [field]: x4k } }),
  );
}
