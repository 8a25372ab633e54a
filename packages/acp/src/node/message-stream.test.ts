import type { AnyMessage } from "@agentclientprotocol/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageStream } from "./message-stream.ts";

const mostBytes = 1024 * 1024;
const long = "x".repeat(mostBytes);
const encoder = new TextEncoder();

/** What is read of these bytes, and what is written. */
async function read(...chunks: Uint8Array[]): Promise<{ read: AnyMessage[]; written: AnyMessage[] }> {
  let text = "";
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => {
      text += new TextDecoder().decode(bytes);
    },
  });
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const messages: AnyMessage[] = [];
  for await (const message of messageStream(output, input, mostBytes).readable) messages.push(message as AnyMessage);
  const lines = text.split("\n").filter((line) => line !== "");
  return { read: messages, written: lines.map((line) => JSON.parse(line)) };
}

const next = { jsonrpc: "2.0", method: "next" } as const;
const lines = (...texts: string[]) => encoder.encode(`${texts.join("\n")}\n${JSON.stringify(next)}\n`);

describe("messageStream", () => {
  it("reads messages wherever their bytes are cut", async () => {
    const message = fc.record({
      jsonrpc: fc.constant("2.0"),
      method: fc.string({ unit: "binary" }),
      params: fc.jsonValue({ maxDepth: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (messages, cuts) => {
          const bytes = encoder.encode(messages.map((one) => `${JSON.stringify(one)}\n`).join(""));
          const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
          const expected: unknown = JSON.parse(JSON.stringify(messages));
          expect(await read(...chunks)).toEqual({ read: expected, written: [] });
        },
      ),
      { numRuns: 50 },
    );
  });

  it("reads the last line without its end", async () => {
    expect((await read(encoder.encode(JSON.stringify(next)))).read).toEqual([next]);
  });

  it.each([
    ["a request", `{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":"${long}"}`, 7],
    ["a request with an id that is a text", `{ "id" : "a\\"b", "method":"x","params":"${long}"}`, 'a"b'],
    ["a request with its id at the end", `{"jsonrpc":"2.0","method":"x","params":"${long}","id":7}`, 7],
    ["a request with its id and method at the end", `{"params":"${long}","method":"x", "id": 7 } `, 7],
    ["a notification", `{"jsonrpc":"2.0","method":"x","params":"${long}"}`, null],
    ["a text with an id in it", `{"method":"x","params":"${long},\\"id\\":7}"}`, null],
    ["no JSON at all", long + long, null],
  ])("answers %s that is too long with an error, and reads on", async (_, line, id) => {
    const { read: messages, written } = await read(lines(line));
    expect(messages).toEqual([next]);
    const message = "The message is longer than 1 MiB, and was not read.";
    expect(written).toEqual([{ jsonrpc: "2.0", id, error: { code: -32600, message } }]);
  });

  it.each([
    ["a result", `{"jsonrpc":"2.0","id":7,"result":{"content":"${long}"}}`],
    ["a result with its id at the end", `{"jsonrpc":"2.0","result":{"content":"${long}"},"id":7}`],
    ["an error", `{"id":7,"jsonrpc":"2.0","error":{"code":1,"message":"${long}"}}`],
  ])("fails the request of the agent that is answered with %s that is too long", async (_, line) => {
    const { read: messages, written } = await read(lines(line));
    expect(written).toEqual([]);
    expect(messages).toMatchObject([{ id: 7, error: { code: -32600 } }, next]);
  });

  it("finds the ends of a line that comes byte by byte", async () => {
    const ends = `{"id":7,"method":"x","params":"${long}`;
    const bytes = encoder.encode(`"}\n${JSON.stringify(next)}\n`);
    const { read: messages, written } = await read(
      encoder.encode(ends),
      ...[...bytes].map((byte) => Uint8Array.of(byte)),
    );
    expect(messages).toEqual([next]);
    expect(written).toMatchObject([{ id: 7 }]);
  });
});
