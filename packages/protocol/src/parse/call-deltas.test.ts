import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, dialects, finishReason, parserOptionsIn, repairableBlock, texts } from "../../test/arbitraries.ts";
import { read, readSettled } from "../../test/read.ts";
import { callOf } from "../call-content.ts";
import type { CallDeltaEvent } from "../events.ts";
import { createParser, type ParserOptions } from "./parser.ts";

const runs = randomRuns(700);

function deltas(chunks: readonly string[], options: ParserOptions = {}): CallDeltaEvent[] {
  return read(chunks, { ...options, callDeltas: true }).filter((event) => event.type === "call_delta");
}

/** The deltas of each call, put together. */
function deltaTexts(chunks: readonly string[], options?: ParserOptions): string[] {
  const raw: string[] = [];
  for (const { index, content } of deltas(chunks, options)) raw[index] = (raw[index] ?? "") + content;
  return Array.from(raw, (text) => text ?? "");
}

describe.each(dialects)("call deltas, in the %s dialect,", (dialect) => {
  const cutBlock = texts[dialect].block.chain(cut);
  const cutText = texts[dialect].any.chain((text) => fc.tuple(fc.constant(text), cut(text)));

  it("put together, are the same for every way of cutting the text", () => {
    fc.assert(
      fc.property(cutText, ([text, chunks]) => {
        const whole = deltaTexts([text], { dialect });
        expect(deltaTexts(chunks, { dialect })).toEqual(whole);
        expect(deltaTexts(text.split(""), { dialect })).toEqual(whole);
      }),
      runs,
    );
  });

  it("put together, are the arguments as they were written", () => {
    fc.assert(
      fc.property(cutBlock, (chunks) => {
        const text = chunks.join("").toWellFormed();
        const announced = read(chunks, { dialect }).filter((event) => event.type === "call");
        let from = 0;
        for (const [index, raw] of deltaTexts(chunks, { dialect }).entries()) {
          const { name, args } = callOf(announced[index] as never);
          const written = dialect === "xml" ? `<${name}>${raw}</${name}>` : `"args":${raw}`;
          const at = text.indexOf(written, from);
          expect(at).toBeGreaterThan(0);
          from = at + written.length;
          if (dialect === "json") expect(JSON.parse(raw)).toEqual(args);
        }
      }),
      runs,
    );
  });

  it("come before their call is announced, with its index", () => {
    fc.assert(
      fc.property(cutText, ([, chunks]) => {
        let announced = 0;
        for (const event of read(chunks, { dialect, callDeltas: true })) {
          if (event.type === "call_delta") expect(event.index).toBe(announced);
          if (event.type === "call") announced++;
        }
      }),
      runs,
    );
  });

  it("are not in the settled view, and change nothing in it", () => {
    fc.assert(
      fc.property(cutText, parserOptionsIn(dialect), finishReason, ([, chunks], options, finish) => {
        const without = readSettled(chunks, { ...options, callDeltas: false }, finish);
        expect(readSettled(chunks, { ...options, callDeltas: true }, finish)).toEqual(without);
      }),
      runs,
    );
  });

  it("never are empty or hold half a surrogate pair", () => {
    const value = fc.string({ unit: fc.constantFrom("🚀", "\ud83d", "\ude80", "a", "<"), maxLength: 8 });
    const block = value.map((text) =>
      dialect === "xml" ? `<execute><t><a>${text}</a></t>` : `<execute>[{"name":"w","args":{"a":"${text}"}}]`,
    );
    fc.assert(
      fc.property(block, (text) => {
        const pieces = deltas(text.split(""), { dialect }).map(({ content }) => content);
        expect(pieces.every((piece) => piece !== "" && piece.isWellFormed())).toBe(true);
        // A half that became U+FFFD on its own would make the sum another one.
        expect(text.toWellFormed()).toContain(pieces.join(""));
      }),
      runs,
    );
  });

  it("are off by default", () => {
    fc.assert(
      fc.property(cutText, ([, chunks]) => {
        expect(read(chunks, { dialect }).filter(({ type }) => type === "call_delta")).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("call deltas", () => {
  it("give the text of arguments as it arrives", () => {
    const parser = createParser({ callDeltas: true, clock: () => 7 });
    const delta = (content: string) => ({ type: "call_delta", index: 0, name: "write", content, timestamp: 7 });
    expect(parser.write('<execute>[{"name":"write","args":')).toEqual([]);
    expect(parser.write('{"te')).toEqual([delta('{"te')]);
    expect(parser.write('xt":"a\\')).toEqual([delta('xt":"a\\')]);
    expect(parser.write("n ")).toEqual([delta("n ")]);
    expect(parser.write('"} ')).toEqual([delta('"}')]);
    expect(parser.write("}]")).toMatchObject([{ type: "call", content: '{"name":"write","args":{"text":"a\\n "}}' }]);
  });

  it("give the text of an element as it arrives", () => {
    const parser = createParser({ dialect: "xml", callDeltas: true });
    const contents = (chunk: string) => parser.write(chunk).map((event) => "content" in event && event.content);
    expect(contents("<execute><t")).toEqual([]);
    expect(contents("><a>x")).toEqual(["<a>x"]);
    expect(contents(" y\n")).toEqual([" y\n"]);
    expect(contents("</a")).toEqual([]);
    expect(contents("></t")).toEqual(["</a>"]);
    expect(contents(">")).toEqual(['{"name":"t","args":{"a":"x y"}}']);
  });

  it("give everything between a tool's tags in the XML dialect", () => {
    const text = "<execute> <t>\n<a>\n1</a> </t> <u></u><t><b>2</b></t></execute>";
    for (const chunks of [[text], text.split("")]) {
      expect(deltaTexts(chunks, { dialect: "xml" })).toEqual(["\n<a>\n1</a> ", "", "<b>2</b>"]);
      expect(new Set(deltas(chunks, { dialect: "xml" }).map(({ name }) => name))).toEqual(new Set(["t"]));
    }
  });

  it("count the calls of their block from 0", () => {
    const block = '<execute>[{"name":"a","args":{}},{"name":"b","args":{"c":1}}]</execute>';
    expect(deltas([block]).map(({ index, name, content }) => [index, name, content])).toEqual([
      [0, "a", "{}"],
      [1, "b", '{"c":1}'],
    ]);
  });

  it.each<[string, string | undefined, string]>([
    ['{"args":{},"name":"a"}', undefined, "absent before it is known"],
    ['{"name":"a\\u0062\\ud83d","args":{}}', "a\\u0062\\ud83d", "as it is written between its quotes"],
    ['{"name":"\ud83d","args":{}}', "\ufffd", "well-formed"],
    ['{"name":"","args":{}}', "", "there where it is empty"],
    ['{"x":{"name":"b"},"name":"a","args":{}}', "a", "that of the call"],
  ])("have in %j the name %j: it is %s", (call, name) => {
    const found = deltas([`<execute>[${call}]</execute>`]);
    expect(found).toHaveLength(1);
    expect(found[0]?.name).toBe(name);
    expect(Object.hasOwn(found[0] as object, "name")).toBe(name !== undefined);
  });

  it("give the part of a refused or cut-off block that came before its end", () => {
    expect(deltaTexts(['<execute>[{"name":"a","args":{"x":[1,oops'])).toEqual(['{"x":[1,']);
    expect(deltaTexts(['<execute>[{"name":"a","args":{"x":"un'])).toEqual(['{"x":"un']);
    expect(deltaTexts(["<execute><t><a>un"], { dialect: "xml" })).toEqual(["<a>un"]);
  });

  it.each([
    ['<execute>[{"name":"a","args":{"x":"\ud83d', {}],
    ["<execute><t><a>\ud83d", { dialect: "xml" }],
  ] as const)("do not change the position at which %j is cut off", (text, options) => {
    const error = { code: "truncated_execute", position: text.length };
    expect(read([text], { ...options, callDeltas: true }).at(-1)).toMatchObject(error);
    expect(read([text], options).at(-1)).toMatchObject(error);
  });

  it("give encoded arguments as they are written", () => {
    expect(deltaTexts(['<execute>[{"name":"a","args":"{\\"b\\":1}"}]</execute>'], { repair: true })).toEqual([
      '"{\\"b\\":1}"',
    ]);
    fc.assert(
      fc.property(repairableBlock.chain(cut), (chunks) => {
        expect(deltaTexts(chunks, { repair: true })).toEqual(deltaTexts([chunks.join("")], { repair: true }));
      }),
      runs,
    );
  });

  it("give nothing of names, other keys, results and text", () => {
    const text = 'a <think>b</think> <execute>[{"name":"n","x":{"args":{"y":1}},"args":{}}]</execute>';
    expect(deltaTexts([text])).toEqual(["{}"]);
    const results = '<results>[{"tool":"a","status":"success","content":{"args":{}}}]</results>';
    expect(deltaTexts([results], { results: "allow" })).toEqual([]);
  });
});
