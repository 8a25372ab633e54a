import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

type Wire = "chat" | "responses";

const mebibyte = 2 ** 20;
const eventStream = { "content-type": "text/event-stream" };
const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

/** What a hostile server may answer, by name: without limits each takes hundreds of megabytes of memory, or never ends. */
export const attacks: Readonly<Record<string, (response: ServerResponse, wire: Wire) => unknown>> = {
  "a refusal that unpacks to 64 MiB": (response) =>
    response.writeHead(500, { "content-encoding": "gzip" }).end(bomb("", 64)),
  "an event that unpacks to 64 MiB": (response) =>
    response.writeHead(200, { ...eventStream, "content-encoding": "gzip" }).end(bomb('data: {"', 64)),
  "a refusal without end": (response) => pour(response.writeHead(503), "x".repeat(65_536)),
  "a line without end": (response) => {
    response.writeHead(200, eventStream).write('data: {"');
    return pour(response, "x".repeat(65_536));
  },
  "text without end": (response, wire) => pour(response.writeHead(200, eventStream), textOf(wire, "x".repeat(32_768))),
  "20,000 calls": (response, wire) =>
    pour(
      response.writeHead(200, eventStream),
      "",
      Array.from({ length: 20_000 }, (_, index) => callOf(wire, index)),
    ),
  "20,000 calls in one event": (response, wire) => response.writeHead(200, eventStream).end(manyCalls(wire)),
  "blocks without end": (response, wire) =>
    pour(
      response.writeHead(200, eventStream),
      (wire === "chat"
        ? line({ choices: [{ delta: { reasoning_details: [{ type: "a" }] } }] })
        : line({ type: "response.output_item.added", item: { type: "message" } })
      ).repeat(100),
    ),
  "half a million levels": (response) =>
    response.writeHead(200, eventStream).end(`data: {"type":"x","y":${"[".repeat(500_000)}${"]".repeat(500_000)}}\n\n`),
  "two million values": (response) =>
    response.writeHead(200, eventStream).end(`data: {"type":"x","y":[${"{},".repeat(2_000_000)}0]}\n\n`),
};

function bomb(beginning: string, size: number): Buffer {
  return gzipSync(Buffer.concat([Buffer.from(beginning), Buffer.alloc(size * mebibyte, 0x78)]), { level: 1 });
}

function textOf(wire: Wire, text: string): string {
  return wire === "chat"
    ? line({ choices: [{ index: 0, delta: { content: text } }] })
    : line({ type: "response.output_text.delta", item_id: "m", output_index: 0, delta: text });
}

function callOf(wire: Wire, index: number): string {
  const called = { name: "f", arguments: "{}" };
  return wire === "chat"
    ? line({ choices: [{ delta: { tool_calls: [{ index, id: `c${index}`, function: called }] } }] })
    : line({
        type: "response.output_item.added",
        output_index: index,
        item: { type: "function_call", call_id: `c${index}`, ...called },
      });
}

function manyCalls(wire: Wire): string {
  const calls = Array.from({ length: 20_000 }, (_, index) => ({
    type: "function_call",
    call_id: `c${index}`,
    name: "f",
  }));
  return wire === "chat"
    ? line({ choices: [{ delta: { tool_calls: calls.map(({ name, call_id: id }) => ({ id, function: { name } })) } }] })
    : line({ type: "response.completed", response: { status: "completed", output: calls } });
}

/** The pieces, or the same piece for as long as somebody reads. */
async function pour(response: ServerResponse, piece: string, pieces?: readonly string[]): Promise<void> {
  response.setMaxListeners(0);
  for (let index = 0; !response.destroyed && index < (pieces?.length ?? 1e9); index++) {
    if (!response.write(pieces?.[index] ?? piece)) {
      await Promise.race([once(response, "drain"), once(response, "close")]).catch(() => {});
    }
  }
  response.end();
}
