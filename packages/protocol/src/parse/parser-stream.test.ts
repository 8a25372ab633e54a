import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, dialects, texts } from "../../test/arbitraries.ts";
import { read } from "../../test/read.ts";
import type { ParserEvent } from "./parser.ts";
import { ParserStream } from "./parser-stream.ts";
import { settle } from "./settle.ts";

const text = '<think>a🚀</think>Hé.<execute>[{"name":"ls","args":{"漢":"</execute>"}}]</execute>';
const clock = () => 1;

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of stream) all.push(each);
  return all;
}

/** A source that counts how often it was asked, and remembers why it was cancelled. */
function source(chunks: Iterable<string>) {
  const iterator = chunks[Symbol.iterator]();
  const state: { pulls: number; cancelled: boolean } = { pulls: 0, cancelled: false };
  const stream = new ReadableStream<string>({
    pull(controller) {
      state.pulls++;
      const { value, done } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { stream, state };
}

describe("ParserStream", () => {
  it.each(dialects)("gives the events of a parser, in the %s dialect", async (dialect) => {
    await fc.assert(
      fc.asyncProperty(texts[dialect].any.chain(cut), async (chunks) => {
        const stream = ReadableStream.from(chunks).pipeThrough(new ParserStream({ dialect, clock }));
        expect(await collect(stream)).toEqual(read(chunks, { dialect }));
      }),
      { numRuns: 200 },
    );
  });

  it("reads bytes behind a TextDecoderStream, cut anywhere", async () => {
    const bytes = Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte));
    const decoded = ReadableStream.from(bytes).pipeThrough(new TextDecoderStream());
    const events = await collect(decoded.pipeThrough(new ParserStream({ clock })));
    expect([...settle(events)]).toEqual([...settle(read([text]))]);
  });

  it("settles as a stream of events", async () => {
    const events = ReadableStream.from(text.split("")).pipeThrough(new ParserStream());
    const types = (await collect(settle(events))).map(({ type }) => type);
    expect(types).toEqual(["think", "respond", "call", "execute"]);
  });

  it("gives events as they arrive, before the source has ended", async () => {
    let controller: ReadableStreamDefaultController<string> | undefined;
    const open = new ReadableStream<string>({
      start(own) {
        controller = own;
      },
    });
    const reader = open.pipeThrough(new ParserStream()).getReader();
    controller?.enqueue("Hel");
    expect((await reader.read()).value).toMatchObject({ type: "respond", content: "Hel" });
    controller?.enqueue("lo<thi");
    expect((await reader.read()).value).toMatchObject({ type: "respond", content: "lo" });
    controller?.close();
    expect((await reader.read()).value).toMatchObject({ type: "respond", content: "<thi" });
    expect((await reader.read()).done).toBe(true);
  });

  it.each([
    ["a block", "<execute>[]</execute>", "execute"],
    ["<end>", "<end>", "end"],
    ["an error", "<execute>[}", "error"],
  ])("P5 ends after %s, and cancels an endless source", async (_, last, type) => {
    function* endless() {
      yield `Hi.${last} and`;
      for (;;) yield " more";
    }
    const { stream, state } = source(endless());
    const events = await collect(stream.pipeThrough(new ParserStream()));
    expect(events.map((event) => event.type)).toEqual(["respond", type]);
    expect(state.cancelled).toBe(true);
  });

  it("cancels its source when the consumer leaves early", async () => {
    function* endless() {
      for (;;) yield "a<think>b</think>";
    }
    const { stream, state } = source(endless());
    for await (const _ of stream.pipeThrough(new ParserStream())) break;
    expect(state.cancelled).toBe(true);
  });

  it("loses no event to a consumer that is slow, and does not run ahead of it", async () => {
    const chunks = Array.from({ length: 200 }, (_, i) => `${i}<think>${i}</think>`);
    const { stream, state } = source(chunks);
    const reader = stream.pipeThrough(new ParserStream({ clock })).getReader();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(state.pulls).toBeLessThan(10);
    const events: ParserEvent[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      events.push(next.value);
      if (events.length % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(events).toEqual(read(chunks));
    expect(events).toHaveLength(400);
  });

  it("fails with the error of the source, after the events before it", async () => {
    const failure = new Error("socket closed");
    async function* failing() {
      yield "<think>a</think>b";
      throw failure;
    }
    const reader = ReadableStream.from(failing()).pipeThrough(new ParserStream()).getReader();
    expect((await reader.read()).value).toMatchObject({ type: "think", content: "a" });
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toBe(failure);
  });

  it("asks how the generation ended once it has, and only then", async () => {
    const cutOff = '<execute>[{"name":"ls","args":{}}]';
    let finish: "stop" | "length" = "stop";
    let asked = 0;
    async function* chunks() {
      yield cutOff;
      finish = "length";
    }
    const options = {
      finish: () => {
        asked++;
        return finish;
      },
    };
    const last = (await collect(ReadableStream.from(chunks()).pipeThrough(new ParserStream(options)))).at(-1);
    expect(last).toMatchObject({ code: "truncated_execute" });
    expect(asked).toBe(1);
    const stopped = await collect(ReadableStream.from([cutOff]).pipeThrough(new ParserStream()));
    expect(stopped.at(-1)).toMatchObject({ type: "execute" });
  });

  it("takes the options of a parser", async () => {
    const chunks = ["a</think><execute><t><x>1</x></t></execute>"];
    const options = { dialect: "xml", startIn: "think", callDeltas: true, clock } as const;
    const events = await collect(ReadableStream.from(chunks).pipeThrough(new ParserStream(options)));
    expect(events).toEqual(read(chunks, options));
    expect(events.map(({ type }) => type)).toEqual(["think", "call_delta", "call", "execute"]);
  });
});
