import type { ServerResponse } from "node:http";
import { serve } from "@tooling/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { completeLimits, type Limits } from "../limits.ts";
import { readEvents as readEventsOf } from "./read-events.ts";

const one = 'data: {"a":1}\n\n';
const two = 'data: {"b":"é👋"}\n\n';
const both = [{ a: 1 }, { b: "é👋" }];

const never = new AbortController().signal;

function readEvents({ body }: Response, signal: AbortSignal, isComplete?: () => boolean, limits?: Limits) {
  return readEventsOf(body, { host: "acme.test", limits: completeLimits(limits), signal, isComplete, last: "[DONE]" });
}

function eventStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}

async function read(pieces: readonly Uint8Array[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of readEvents(new Response(ReadableStream.from(pieces)), never)) all.push(event);
  return all;
}

describe("readEvents", () => {
  it.each<[what: string, stream: string, read: unknown[]]>([
    ["events without names", one + two, both],
    ["events with names", `event: a\n${one}event: b\n${two}`, both],
    ["comments, ids, retries and unknown fields", `: hi\nid: 7\n${one}retry: 3\n\nfoo: bar\n${two}`, both],
    ["events that are only a name", `event: ping\n\n${one}event: ping\n\n${two}`, both],
    ["a name that is parted from its data", `event: a\n\n${one}event: b\n\n${two}`, both],
    ["empty data", `data:\n\ndata: \n\ndata\n\n${one}event: ping\ndata: \n\n${two}`, both],
    ["data of several lines", `data: {\ndata:\ndata: "a":1}\n\n${two}`, both],
    ["the field `error` of older builds of llama.cpp", `${one}error: {"code":400}\n\n`, [{ a: 1 }, { code: 400 }]],
    ["nothing after [DONE]", `${one}${two}data: [DONE]\n\n${one}`, both],
    ["a last event without its end", one + two.trimEnd(), both],
    ["a last line without its end", `${one}${two}data: [DONE]`, both],
    ["many empty lines", `\n\n\n${one}\n\n\n\n${two}\n\n\n`, both],
    ["a byte order mark", `\ufeff${one}${two}`, both],
    ["nothing", "", []],
    ["a whole answer, whatever it says to be", '\n{"a":\n"é👋"}\n', [{ a: "é👋" }]],
    ["nothing in a whole answer that is cut", '{"a":', []],
  ])("reads %s, at every cut and with every line break", async (_, stream, expected) => {
    for (const lineBreak of ["\n", "\r\n", "\r"]) {
      const bytes = new TextEncoder().encode(stream.replaceAll("\n", lineBreak));
      for (let cut = 0; cut <= bytes.length; cut++) {
        expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
      }
      expect(await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
    }
  });

  it("reads lines of JSON, at every cut and with every line break", async () => {
    const limits = completeLimits({ eventBytes: 40 });
    const options = { host: "acme.test", limits, signal: never, isJSONLines: true };
    const read = (pieces: Uint8Array[]) => all(readEventsOf(ReadableStream.from(pieces), options));
    for (const lineBreak of ["\n", "\r\n", "\r"]) {
      const lines = ["\ufeff" + '{"a":1}', "", "[2]", '{"b":"é👋"}'];
      for (const end of ["", lineBreak]) {
        const bytes = new TextEncoder().encode(lines.join(lineBreak) + end);
        for (let cut = 0; cut <= bytes.length; cut++) {
          expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([{ a: 1 }, [2], { b: "é👋" }]);
        }
      }
    }
    const long = new TextEncoder().encode(`{"a":1}\n{"b":"${"x".repeat(40)}`);
    await expect(read([long])).rejects.toMatchObject({ code: "answer_too_large" });
  });

  it("throws a SyntaxError for data that is not JSON, after the events before it", async () => {
    const events = readEvents(new Response(`${one}data: {"b":\n\n`), never);
    expect(await events.next()).toEqual({ done: false, value: { a: 1 } });
    await expect(events.next()).rejects.toBeInstanceOf(SyntaxError);
  });

  it("reads the events of a body whose content type is JSON", async () => {
    const headers = { "content-type": "application/json" };
    const all: unknown[] = [];
    for await (const event of readEvents(new Response(one + two, { headers }), never)) all.push(event);
    expect(all).toEqual(both);
  });

  it.each(["\n", "\r\n", "\r"])("yields an event as soon as its last line has ended, with %j", async (lineBreak) => {
    const { url } = await serve((_, response) => {
      eventStream(response).write(one.replaceAll("\n", lineBreak));
    });
    const stopping = new AbortController();
    const events = readEvents(await fetch(url), stopping.signal);
    expect(await events.next()).toEqual({ done: false, value: { a: 1 } });
    stopping.abort();
    expect(await events.next()).toEqual({ done: true });
  });

  it("has no events without a body", async () => {
    expect(await readEvents(new Response(null, { status: 204 }), never).next()).toEqual({ done: true });
  });

  it("ends, and closes the connection, when its signal aborts", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_, response) => {
      response.on("close", () => closed.resolve());
      eventStream(response).write(one);
    });
    const stopping = new AbortController();
    const events = readEvents(await fetch(url), stopping.signal);
    await events.next();
    const next = events.next();
    stopping.abort();
    expect(await next).toEqual({ done: true });
    await closed.promise;
  });

  it("does not wait long for the end of a body that is complete", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_, response) => {
      response.on("close", () => closed.resolve());
      eventStream(response).write(one + two);
    });
    const all: unknown[] = [];
    for await (const event of readEvents(await fetch(url), never, () => all.length === 2)) all.push(event);
    expect(all).toEqual(both);
    await closed.promise;
  });

  it("uses a connection again whose answer ends shortly after [DONE]", async () => {
    const sockets = new Set<unknown>();
    const timers = new Set<NodeJS.Timeout>();
    onTestFinished(() => timers.forEach(clearTimeout));
    const { url } = await serve((_, response) => {
      sockets.add(response.socket);
      eventStream(response).write(`${one}data: [DONE]\n\n`);
      timers.add(setTimeout(() => response.end(), 1));
    });
    for (let request = 0; request < 10; request++) {
      const events = readEvents(await fetch(url), never);
      for await (const event of events) expect(event).toEqual({ a: 1 });
    }
    expect(sockets.size).toBeLessThan(5);
  });

  it("does not wait long for the end of a connection that is kept open", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_, response) => {
      response.on("close", () => closed.resolve());
      eventStream(response).write(`${one}data: [DONE]\n\n`);
    });
    const events = readEvents(await fetch(url), never);
    expect(await events.next()).toMatchObject({ value: { a: 1 } });
    expect(await events.next()).toEqual({ done: true });
    await closed.promise;
  });

  describe("beyond `limits.eventBytes`", () => {
    const limits = { eventBytes: 100 };
    const fits = `data: "${"x".repeat(92)}"`;

    it.each<[what: string, text: string]>([
      ["an event", `data: "${"x".repeat(93)}"\n\n`],
      ["an event of many lines", `${"data:\n".repeat(17)}data: ${"1".repeat(30)}\n\n`],
      ["an event in characters of more bytes", `data: "${"é".repeat(47)}"\n\n`],
      ["a line that does not end", `data: ${"x".repeat(95)}`],
      ["a comment that does not end", `:${"x".repeat(100)}`],
      ["a field that nobody knows", `foo: ${"x".repeat(100)}\n`],
      ["lines of data without an end", "data:\n".repeat(21)],
      ["an answer in one piece", `{"a":"${"x".repeat(100)}`],
      ["the field `error`", `error: "${"x".repeat(100)}"\n\n`],
    ])("refuses %s, at every cut", async (_, text) => {
      const bytes = new TextEncoder().encode(text);
      for (const pieces of [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))]) {
        const events = readEvents(new Response(ReadableStream.from(pieces)), never, undefined, limits);
        await expect(all(events)).rejects.toMatchObject({ code: "answer_too_large" });
      }
    });

    it("accepts any number of events within the limit", async () => {
      const text = `${fits}\n\n:${"x".repeat(98)}\n`.repeat(50);
      const bytes = new TextEncoder().encode(text);
      for (const size of [1, 7, bytes.length]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const events = readEvents(new Response(ReadableStream.from(pieces)), never, undefined, limits);
        expect(await all(events)).toHaveLength(50);
      }
    });

    it("yields the events before it", async () => {
      const events = readEvents(new Response(`${fits}\n\n${fits.repeat(3)}`), never, undefined, limits);
      expect(await events.next()).toMatchObject({ done: false });
      await expect(events.next()).rejects.toMatchObject({ code: "answer_too_large" });
    });
  });

  it("refuses an event, or a whole answer, that is nested too deeply", async () => {
    const deep = "[".repeat(600) + "]".repeat(600);
    for (const text of [`data: ${deep}\n\n`, deep]) {
      const events = readEvents(new Response(text), never);
      await expect(all(events)).rejects.toThrow("`limits.depth`");
    }
  });
});

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const event of events) read.push(event);
  return read;
}
