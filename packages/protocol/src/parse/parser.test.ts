import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, dialects, finishReason, parserOptionsIn, texts } from "../../test/arbitraries.ts";
import { heldDifference } from "../../test/held.ts";
import { callWith, events, read, readSettled } from "../../test/read.ts";
import { callOf } from "../call-content.ts";
import type { AgentEvent } from "../events.ts";
import { parseSync } from "./parse.ts";
import { createParser } from "./parser.ts";

const runs = randomRuns(700);

describe.each(dialects)("the parser, in the %s dialect,", (dialect) => {
  const anyText = texts[dialect].any;
  const options = parserOptionsIn(dialect);

  it("P1 gives the same settled events for every way of cutting the text", () => {
    const cutText = anyText.chain((text) => fc.tuple(fc.constant(text), cut(text)));
    fc.assert(
      fc.property(cutText, options, finishReason, ([text, chunks], options, finish) => {
        const whole = readSettled([text], options, finish);
        expect(readSettled(chunks, options, finish)).toEqual(whole);
        expect(readSettled(text.split(""), options, finish)).toEqual(whole);
        const withEmptyChunks = text.split("").flatMap((character) => ["", character, ""]);
        expect(readSettled(withEmptyChunks, options, finish)).toEqual(whole);
      }),
      runs,
    );
  });

  it("P2 holds back no more than the beginning of a marker, white space, half a pair, or a marker that is undecided", () => {
    fc.assert(
      fc.property(anyText, options, (text, options) => {
        expect(heldDifference({ text, options })).toBeUndefined();
      }),
      randomRuns(500),
    );
  });

  it("P4 never throws: a fault becomes an error with a code, a position and a message", () => {
    const anything = fc.oneof(anyText, fc.string({ unit: "binary", maxLength: 60 }));
    fc.assert(
      fc.property(anything, options, finishReason, (text, options, finish) => {
        for (const event of readSettled([text], options, finish)) {
          if (event.type !== "error") continue;
          expect(["malformed_execute", "truncated_execute", "forged_results"]).toContain(event.code);
          expect(event.position).toBeGreaterThanOrEqual(0);
          expect(event.position).toBeLessThanOrEqual(text.length);
          expect(event.content).toMatch(/\w{3}.*\.$/s);
          expect(event.content.length).toBeLessThan(300);
        }
      }),
      runs,
    );
  });

  it("P5 stops after </execute>, <end> or an error, and counts later text", () => {
    fc.assert(
      fc.property(anyText, options, texts[dialect].message, (text, options, more) => {
        const parser = createParser(options);
        const first = parser.write(text);
        const isOver = first.some(({ type }) => type === "execute" || type === "end" || type === "error");
        expect(parser.done).toBe(isOver);
        const { ignored } = parser;
        if (!isOver) expect(ignored).toBe(0);
        else {
          expect(parser.write(more)).toEqual([]);
          expect(parser.ignored).toBe(ignored + more.length);
        }
        parser.end();
        expect(parser.done).toBe(true);
        expect(parser.end()).toEqual([]);
        expect(parser.write("x")).toEqual([]);
      }),
      runs,
    );
  });

  it("P5 counts the rest of the chunk in which the block closed", () => {
    const rest = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(texts[dialect].block, rest, (block, rest) => {
        const parser = createParser({ dialect });
        expect(parser.write(block + rest).at(-1)).toMatchObject({ type: "execute" });
        expect(parser.ignored).toBe(rest.length);
      }),
      randomRuns(500),
    );
  });

  it("P7 lets no call take effect when the block ends in an error, and all of them when it does not", () => {
    const block = fc.oneof(anyText, texts[dialect].damaged);
    fc.assert(
      fc.property(block, options, finishReason, (text, options, finish) => {
        const announced = read([text], options, finish).filter(({ type }) => type === "call");
        const settled = readSettled([text], options, finish);
        const taken = settled.filter(({ type }) => type === "call");
        const isExecuted = settled.some(({ type }) => type === "execute");
        expect(taken).toEqual(isExecuted ? announced : []);
        if (isExecuted) expect(settled.slice(-1 - taken.length, -1)).toEqual(taken);
      }),
      runs,
    );
  });

  it("P13 emits well-formed text only, in arguments too", () => {
    const surrogates = fc.string({ unit: fc.constantFrom("\ud83d", "\ude80", "a", " ", "<", "\n"), maxLength: 12 });
    const blocks = surrogates.map((text) =>
      dialect === "xml"
        ? `<execute><t><a>${text}</a></t></execute>`
        : `<execute>[{"name":"${text.trim()}","args":{"${text.trim()}":"${text.trim()}"}}]`,
    );
    const cutText = fc.oneof(anyText, surrogates, blocks).chain(cut);
    fc.assert(
      fc.property(cutText, options, (chunks, options) => {
        for (const event of read(chunks, options)) {
          if ("content" in event) expect(event.content.isWellFormed()).toBe(true);
          if (event.type === "call") expect(JSON.stringify(callOf(event))).not.toMatch(/(?<!\\)(\\\\)*\\ud[89a-f]/);
        }
      }),
      runs,
    );
  });

  it("P14 runs a block that lacks its closer, or a part of it, only when the generation ended normally", () => {
    fc.assert(
      fc.property(
        texts[dialect].block,
        fc.nat({ max: "</execute>".length }),
        finishReason,
        (block, missing, finish) => {
          const text = block.slice(0, block.length - missing);
          // P12: nothing was opened.
          fc.pre(!/^<execute>\s*$/.test(text));
          const whole = readSettled([block], { dialect });
          const isRun = missing === 0 || finish === "stop";
          expect(readSettled([text], { dialect }, finish)).toEqual(
            isRun ? whole : [expect.objectContaining({ code: "truncated_execute", position: text.length })],
          );
        },
      ),
      runs,
    );
  });

  it.each(["length", "tool_calls", "content_filter", "aborted", "other"] as const)(
    "P14 does not treat %s as a normal end",
    (finish) => {
      const block = dialect === "xml" ? "<execute><t></t>" : '<execute>[{"name":"t","args":{}}]';
      expect(events(block, { dialect }, finish)).toMatchObject([{ code: "truncated_execute" }]);
      expect(events(block, { dialect }).map(({ type }) => type)).toEqual(["call", "execute"]);
    },
  );
});

describe("the parser", () => {
  it("P2 emits text and thinking as they arrive, and a call as its object closes", () => {
    const parser = createParser();
    const contents = (chunk: string) =>
      parser.write(chunk).map((event) => ("content" in event ? event.content : event.type));
    expect(contents("Hel")).toEqual(["Hel"]);
    expect(contents("lo <th")).toEqual(["lo"]);
    expect(contents("e ")).toEqual([" <the"]);
    expect(contents("<think>a")).toEqual(["a"]);
    expect(contents("b</think><execute>[")).toEqual(["b"]);
    expect(contents('{"name":"ls","args":{}}')).toEqual(['{"name":"ls","args":{}}']);
    expect(contents("]</execute>")).toEqual(["execute"]);
  });

  it("P2 announces a call of the XML dialect as its element closes", () => {
    const parser = createParser({ dialect: "xml" });
    expect(parser.write("<execute><t><a>1</a></t")).toEqual([]);
    expect(parser.write(">")).toMatchObject([{ type: "call", content: '{"name":"t","args":{"a":"1"}}' }]);
  });

  it("P4 quotes no more than a little of what the model wrote", () => {
    const long = "x".repeat(100_000);
    for (const args of [`{"${long}":1,"${long}":2}`, `{"n":${"9".repeat(100_000)}}`, `{"a":"${long}" b`]) {
      const error = events(callWith(args)).at(-1);
      expect(error).toHaveProperty("code", "malformed_execute");
      expect((error as { content: string }).content.length).toBeLessThan(300);
    }
  });

  it.each([
    ["<execute>[", {}],
    ['<execute>[{"name":"w","args":{"a":"', {}],
    ["<execute><t><a>x", { dialect: "xml" }],
    ["<think>a", {}],
    ["a <thin", {}],
  ] as const)("P5 counts text after end(), which cut off %j", (text, options) => {
    const parser = createParser(options);
    parser.write(text);
    parser.end("length");
    expect(parser.write("more")).toEqual([]);
    expect(parser.ignored).toBe("more".length);
  });

  it.each([
    ["\ud7ff", "\ud7ff"],
    ["\ud800", ""],
    ["\udbff", ""],
    ["\udc00", "\ufffd"],
    ["\ue000", "\ue000"],
  ])("P2 holds %j back only if it is the first half of a pair", (unit, emitted) => {
    for (const before of ["a", "a text that is not short"]) {
      const parser = createParser();
      expect(parser.write(before + unit)).toMatchObject([{ content: before + emitted }]);
      if (emitted === "") expect(parser.write("\udc00")).toMatchObject([{ content: `${unit}\udc00` }]);
    }
  });

  it("P13 puts the halves of a pair together that arrive apart, in text, thinking and calls", () => {
    const text = '🚀<think>🚀</think><execute>[{"name":"🚀","args":{"a":"🚀"}}]</execute>';
    expect(readSettled(text.split(""))).toMatchObject([
      { type: "respond", content: "🚀" },
      { type: "think", content: "🚀" },
      { type: "call", content: '{"name":"🚀","args":{"a":"🚀"}}' },
      { type: "execute" },
    ]);
  });

  it("numbers units, so that two adjacent units can be distinguished from two pieces of one", () => {
    const pieces = read(["a", "b<think>c", "d</think><think>e</think>"]);
    expect(pieces.map((event) => "unit" in event && event.unit)).toEqual([0, 0, 1, 1, 2]);
  });

  it("stamps the events of a write with one clock read", () => {
    let now = 100;
    const parser = createParser({ clock: () => now++ });
    const stamps: AgentEvent[] = [...parser.write("a<think>b</think>"), ...parser.write(" "), ...parser.write("c")];
    expect(stamps.map((event) => event.timestamp)).toEqual([100, 100, 101]);
  });

  it("stamps events with Unix time in seconds by default", () => {
    const before = Date.now() / 1000;
    const [event] = createParser().write("a");
    expect(event?.timestamp).toBeGreaterThanOrEqual(before);
    expect(event?.timestamp).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it("gives settled events that JSON writes with exactly the protocol's fields", () => {
    const text = '<think>a</think>Hi.<execute>[{"name":"read","args":{"file":"x"}}]</execute>';
    expect(parseSync(text, { clock: () => 5 }).map((event) => JSON.stringify(event))).toEqual([
      '{"type":"think","content":"a","timestamp":5}',
      '{"type":"respond","content":"Hi.","timestamp":5}',
      '{"type":"call","content":"{\\"name\\":\\"read\\",\\"args\\":{\\"file\\":\\"x\\"}}","timestamp":5}',
      '{"type":"execute","timestamp":5}',
    ]);
  });
});
