import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../events.ts";
import { parse, parseSync } from "./parse.ts";

async function collect(events: AsyncIterable<AgentEvent>) {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const text = '<think>a</think>Hi.<execute>[{"name":"ls","args":{}}]</execute>';
const options = { clock: () => 1 };

describe("parse", () => {
  it("gives the same events for a text, an iterable and an async iterable", async () => {
    async function* chunks() {
      yield* text.split("");
    }
    const expected = parseSync(text, options);
    expect(expected.map((event) => event.type)).toEqual(["think", "respond", "call", "execute"]);
    expect(await collect(parse(text, options))).toEqual(expected);
    expect(await collect(parse(text.split(""), options))).toEqual(expected);
    expect(await collect(parse(chunks(), options))).toEqual(expected);
  });

  it("closes its source as soon as the parser is done", async () => {
    let closed = false;
    async function* endless() {
      try {
        yield "Done.<end>";
        for (;;) yield "more";
      } finally {
        closed = true;
      }
    }
    expect((await collect(parse(endless()))).map((event) => event.type)).toEqual(["respond", "end"]);
    expect(closed).toBe(true);
  });

  it.each([
    ["</execute>", "<execute>[]</execute> x", "execute"],
    ["an error", "<execute>[}", "error"],
  ])("reads nothing more after %s", async (_, last, type) => {
    let asked = 0;
    function* chunks() {
      for (const chunk of ["Hi.", last, "more", "<end>"]) {
        asked++;
        yield chunk;
      }
    }
    expect((await collect(parse(chunks()))).map((event) => event.type)).toEqual(["respond", type]);
    expect(asked).toBe(2);
  });

  it("gives the event view, also with `callDeltas`", async () => {
    const asked = { ...options, callDeltas: true };
    expect(parseSync(text, asked)).toEqual(parseSync(text, options));
    expect(await collect(parse(text.split(""), asked))).toEqual(parseSync(text, options));
  });

  it("closes its source when the consumer leaves early", async () => {
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield "a<think>b</think>";
      } finally {
        closed = true;
      }
    }
    for await (const _ of parse(endless())) break;
    expect(closed).toBe(true);
  });

  it("asks how the generation ended, at its end", async () => {
    const cut = '<execute>[{"name":"ls","args":{}}]';
    expect((await collect(parse(cut, { finish: () => "length" }))).at(-1)).toMatchObject({ code: "truncated_execute" });
    expect((await collect(parse(cut))).at(-1)).toMatchObject({ type: "execute" });
    expect(parseSync(cut, { finish: () => "length" }).at(-1)).toMatchObject({ code: "truncated_execute" });
  });

  it("passes on an error of the source, after the events before it", async () => {
    async function* failing() {
      yield "<think>a</think>b";
      throw new Error("socket closed");
    }
    const seen: string[] = [];
    await expect(async () => {
      for await (const event of parse(failing())) seen.push(event.type);
    }).rejects.toThrow("socket closed");
    expect(seen).toEqual(["think"]);
  });
});
