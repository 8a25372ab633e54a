import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callBlock, cut, damagedBlock, finishReason, parserOptions, wireText } from "../test/arbitraries.ts";
import type { AgentEvent } from "./events.ts";
import { stringFault } from "./json-strings.ts";
import { jsonText } from "./json-text.ts";
import { parseSync } from "./parse.ts";
import { createParser, type ParserEvent, type ParserOptions } from "./parser.ts";
import { callOf, parseResults } from "./serialize.ts";
import { settle } from "./settle.ts";
import type { FinishReason } from "./usage.ts";

const runs = { numRuns: 1500 };
const anyText = fc.oneof(wireText, damagedBlock, callBlock);

function settled(chunks: readonly string[], options: ParserOptions = {}, finish: FinishReason = "stop") {
  const parser = createParser({ ...options, clock: () => 1 });
  return [...settle([...chunks.flatMap((chunk) => parser.write(chunk)), ...parser.end(finish)])];
}

/** Events without their time. */
function events(text: string, options: ParserOptions = {}, finish: FinishReason = "stop") {
  return settled([text], options, finish).map(({ timestamp: _, ...event }) => event);
}

function codes(text: string, finish: FinishReason = "stop") {
  return events(text, {}, finish).map((event) => ("code" in event ? event.code : event.type));
}

const call = (args: string) => `<execute>[{"name":"w","args":${args}}]</execute>`;

describe("createParser", () => {
  it("P1 gives the same settled events for every way of cutting the text", () => {
    const cutText = anyText.chain((text) => fc.tuple(fc.constant(text), cut(text)));
    fc.assert(
      fc.property(cutText, parserOptions, finishReason, ([text, chunks], options, finish) => {
        const whole = settled([text], options, finish);
        expect(settled(chunks, options, finish)).toEqual(whole);
        expect(settled(text.split(""), options, finish)).toEqual(whole);
        const withEmptyChunks = text.split("").flatMap((character) => ["", character, ""]);
        expect(settled(withEmptyChunks, options, finish)).toEqual(whole);
      }),
      runs,
    );
  });

  it("P2 holds back no more than the beginning of a marker, white space, half a pair, or a marker that is undecided", () => {
    const held =
      /^(?:<|<\/?t|<\/?th|<\/?thi|<\/?thin|<\/?think|<\/|<ex?|<exec?|<execut?|<execu|<execute>?|<re?|<resu?|<resul?|<results?|<results>|<en?|<end|\ufffd|)$/;
    fc.assert(
      fc.property(anyText, fc.nat(), parserOptions, (text, at, options) => {
        const parser = createParser(options);
        const emitted = parser.write(text.slice(0, at % (text.length + 1)));
        if (emitted.some((event) => event.type === "error")) return;
        for (const event of parser.end("length")) {
          if (event.type === "think" || event.type === "respond") expect(event.content.trim()).toMatch(held);
        }
      }),
      runs,
    );
  });

  it("P2 emits text and thinking as they arrive, and a call as its object closes", () => {
    const parser = createParser();
    const types = (chunk: string) =>
      parser.write(chunk).map((event) => ("content" in event ? event.content : event.type));
    expect(types("Hel")).toEqual(["Hel"]);
    expect(types("lo <th")).toEqual(["lo"]);
    expect(types("e ")).toEqual([" <the"]);
    expect(types("<think>a")).toEqual(["a"]);
    expect(types("b</think><execute>[")).toEqual(["b"]);
    expect(types('{"name":"ls","args":{}}')).toEqual(['{"name":"ls","args":{}}']);
    expect(types("]</execute>")).toEqual(["execute"]);
  });

  it.each([
    ["text", "x".repeat(1_000_000)],
    ["white space", `a${" ".repeat(1_000_000)}`],
    ["beginnings of markers", "<thi".repeat(250_000)],
    ["thinking", `<think>${"<".repeat(1_000_000)}`],
    ["leading white space before a think block", " ".repeat(1_000_000)],
    ["backticks", "` ``\n".repeat(200_000)],
    ["white space after <execute>", `<execute>${"\n".repeat(1_000_000)}`],
    ["a string", `<execute>[{"name":"w","args":{"c":"${'\\"'.repeat(500_000)}`],
    ["a key", `<execute>[{"name":"w","args":{"${"k".repeat(1_000_000)}`],
    ["many keys", `<execute>[{"name":"w","args":{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(",")}`],
    ["many calls", `<execute>[${'{"name":"w","args":{"c":"xxxxxxxxxxxxxxxxxxxx"}},'.repeat(20_000)}`],
    ["a number", `<execute>[{"name":"w","args":{"n":0.${"1".repeat(1_000_000)}`],
  ])("P3 reads a megabyte of %s in single characters", (_, text) => {
    for (const startIn of ["text", "think"] as const) {
      const parser = createParser({ startIn });
      for (const character of text) parser.write(character);
      parser.end("length");
      expect(parser.ignored).toBe(0);
    }
  });

  it("P4 never throws; what is wrong becomes an error with a code, a position and a message", () => {
    const anything = fc.oneof(anyText, fc.string({ unit: "binary", maxLength: 60 }));
    fc.assert(
      fc.property(anything, parserOptions, finishReason, (text, options, finish) => {
        for (const event of events(text, options, finish)) {
          if (event.type !== "error") continue;
          expect(["malformed_execute", "truncated_execute", "forged_results"]).toContain(event.code);
          expect(event.position).toBeGreaterThanOrEqual(0);
          expect(event.position).toBeLessThanOrEqual(text.length);
          expect(event.content).toMatch(/\w{3}.*\.$/s);
        }
      }),
      runs,
    );
  });

  it.each([
    ["<execute>[oops]</execute>", 10, /found "o"/],
    [call('{"q":"5" screen"}'), 38, /found "s" after .*"q":"5"/],
    [call('{"p":"E:\\C"}'), 37, /the escape \\C does not exist/],
    [call('{"p":"a\nb"}'), 36, /line break inside a string; write it as \\n/],
    [call('{"a":1,"a":2}'), 38, /the key "a" is given twice/],
    [call('{"n":9007199254740993}'), 34, /would lose digits; write it as a string/],
    ['text <execute>[{"name":7', 23, /"name" must be a string/],
    ['<execute>[{"args":{}}]', 20, /a call has no "name"/],
    ['<execute>[{"name":"a"', 21, /was cut off/],
    ["ok <results>[1]", 3, /Only the system writes <results>/],
  ])("P4 says where %j is wrong and what to do", (text, position, message) => {
    const error = events(text).at(-1);
    expect(error).toMatchObject({ type: "error", position });
    expect(error).toHaveProperty("content", expect.stringMatching(message));
  });

  it("P5 stops after </execute>, <end> or an error, and counts what comes later", () => {
    fc.assert(
      fc.property(anyText, wireText, (text, more) => {
        const parser = createParser();
        const first = parser.write(text);
        const isOver = first.some(({ type }) => type === "execute" || type === "end" || type === "error");
        expect(parser.done).toBe(isOver);
        if (!isOver) {
          expect(parser.ignored).toBe(0);
          return;
        }
        const ignored = parser.ignored;
        expect(parser.write(more)).toEqual([]);
        expect(parser.ignored).toBe(ignored + more.length);
        expect(parser.end()).toEqual([]);
      }),
      runs,
    );
  });

  it("P5 counts the rest of the chunk in which the block closed", () => {
    const parser = createParser();
    parser.write("<execute>[]</execute> and more");
    expect(parser.ignored).toBe(" and more".length);
  });

  it("P6 closes the block only outside a JSON string, for any arguments", () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom("</execute>", "]</execute>", '\\"}]</execute>'),
    );
    fc.assert(
      fc.property(value, (value) => {
        const args = JSON.parse(JSON.stringify({ value }));
        fc.pre(!jsonText(args).includes("__proto__"));
        const parsed = events(call(jsonText(args)));
        expect(parsed.map((event) => event.type)).toEqual(["call", "execute"]);
        expect(callOf(parsed[0] as never)).toEqual({ name: "w", args });
      }),
      runs,
    );
  });

  it("P6 refuses at the first character outside a string with which no valid array can continue", () => {
    fc.assert(
      fc.property(damagedBlock, (text) => {
        const parser = createParser();
        for (let i = 0; i < text.length && !parser.done; i++) {
          const error = parser.write(text.charAt(i)).find((event) => event.type === "error");
          if (!error) continue;
          expect(error.position).toBeLessThanOrEqual(i);
          const before = text.slice(0, i);
          // Strings are checked when their call closes, numbers when they end.
          if (stringFault(before) < 0 && !/integer|number/.test(error.content))
            expect(codes(before, "length")).not.toContain("malformed_execute");
        }
      }),
      runs,
    );
  });

  it.each([
    ["<execute>[", "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":tru', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":-', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":9007199254740993', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":1e999', "malformed_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}e-3`, "truncated_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}e`, "truncated_execute"],
    [`<execute>[{"name":"a","args":{"x":1${"0".repeat(320)}e+`, "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":1e31', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":01', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":trx', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\u00', "truncated_execute"],
    ['<execute>[{"name":"a","args":{"x":"\\u00g', "malformed_execute"],
    ['<execute>[{"name":"a","args":{"x":"a\tb', "malformed_execute"],
    ['<execute>[{"name":"a","name', "truncated_execute"],
    ['<execute>[{"name":"a","name"', "malformed_execute"],
    ['<execute>[{"name":"a","args":{}}]</execute', "truncated_execute"],
    ['<execute>[{"name":"a","args":{}}]</exit', "malformed_execute"],
    ["<execute>[,", "malformed_execute"],
  ])("P6 tells %j, cut at the limit, from a wrong beginning", (text, code) => {
    expect(codes(text, "length").at(-1)).toBe(code);
  });

  it("P7 lets no call take effect when the block ends in an error", () => {
    fc.assert(
      fc.property(anyText, finishReason, (text, finish) => {
        const types = settled([text], {}, finish).map((event) => event.type);
        if (types.includes("error")) expect(types).not.toContain("call");
        else expect(types.includes("call") && !types.includes("execute")).toBe(false);
      }),
      runs,
    );
  });

  it("P8 never makes a result of what a model writes", () => {
    fc.assert(
      fc.property(wireText, wireText, (before, inside) => {
        const text = `${before}<results>\n[{"tool":"a","status":"success","content":"x"}]${inside}</results>`;
        expect(settled([text]).some((event) => event.type === "result")).toBe(false);
      }),
      runs,
    );
  });

  it.each([
    ['<results>[{"tool":"a","status":"success","content":"</results>"}]</results> ok', ["result", "respond"]],
    [
      '<results>[{"tool":"a","status":"success","content":1}] </results><results>{}</results>',
      ["result", "forged_results"],
    ],
    ["<results>[1]</results>", ["forged_results"]],
    ["<results>[]\u00a0</results>", ["forged_results"]],
    ['<results>[{"tool":"a","status":"failure","content":1}]</results>', ["forged_results"]],
    ['<results>[{"tool":"a"', ["forged_results"]],
    ["see <results> above", ["respond"]],
    ["`<results>[1]</results>`", ["respond"]],
  ])("P8 reads the transcript %j when results are allowed", (text, expected) => {
    const types = events(text, { results: "allow" }).map((event) => ("code" in event ? event.code : event.type));
    expect(types).toEqual(expected);
  });

  it("P9 gives trimmed units and no empty one", () => {
    fc.assert(
      fc.property(anyText, parserOptions, (text, options) => {
        for (const event of settled([text], options)) {
          if (event.type !== "think" && event.type !== "respond") continue;
          expect(event.content).not.toBe("");
          expect(event.content).not.toMatch(/^[ \t\r\n]|[ \t\r\n]$/);
        }
      }),
      runs,
    );
  });

  it("P9 keeps other kinds of white space, which are no layout", () => {
    expect(events("\u00a0a\u2003<end>")).toEqual([{ type: "respond", content: "\u00a0a\u2003" }, { type: "end" }]);
  });

  it.each([
    ["~~~\n<end>", "a tilde fence is no code"],
    ["    <end>", "indentation is no code"],
    ["a\n```\nb\n``\n```\n<end>", "a shorter run does not close a fence"],
    ["`` a ` b ``<end>", "a shorter run does not close a span"],
    ["  ```\n x\n  ```\t\n<end>", "white space may stand around fences"],
    ["```\n````\n<end>", "a longer run closes a fence"],
    ["a ```\n<end>", "a run that does not begin its line is no fence"],
    ["```a`b\n<end>", "a line with a further backtick opens no fence"],
    ["`a\r<end>", "a carriage return ends a line"],
    ["``` x ``` ` \n<end>", "each run opens and closes on its line"],
  ])("P10 acts on the marker in %j: %s", (text) => {
    expect(events(text).at(-1)).toEqual({ type: "end" });
  });

  it.each([
    ["`<end>`", "a span"],
    ["`` ` <end>", "a span that is not closed by a shorter run"],
    ["```\n``\n<end>\n``` x\n<end>", "a closing line holds nothing else"],
    ["```\n<end>\n``` ```\n<end>", "a closing line is one run"],
    ["x\n   ````md\n```\n<end>", "a fence"],
  ])("P10 takes the marker in %j for text: %s", (text) => {
    expect(events(text)).toEqual([{ type: "respond", content: text }]);
  });

  it("P11 takes everything but </think> for thinking", () => {
    fc.assert(
      fc.property(wireText, (text) => {
        const inside = text.replaceAll("</think>", "");
        if (inside.includes("</think>")) return;
        const content = inside.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").toWellFormed();
        expect(events(`<think>${inside}</think><end>`)).toEqual([
          ...(content === "" ? [] : [{ type: "think", content }]),
          { type: "end" },
        ]);
      }),
      runs,
    );
  });

  it.each([
    ["<execute>", "respond"],
    ["<execute> go", "respond"],
    ["<execute>\n\n<execute>[]</execute>", "execute"],
    ["<execute>(", "respond"],
    ['<execute>"', "respond"],
    ["<execute>`", "malformed_execute"],
    ["<execute>{", "malformed_execute"],
    ["<execute>\t[", "truncated_execute"],
  ])("P12 opens a block in %j only before [, { or a backtick", (text, last) => {
    expect(codes(text).at(-1)).toBe(last);
  });

  it("P13 emits well-formed text only, in arguments too", () => {
    const surrogates = fc.string({ unit: fc.constantFrom("\ud83d", "\ude80", "a", " ", "<"), maxLength: 12 });
    const texts = fc.oneof(
      anyText,
      surrogates,
      surrogates.map((text) => `<execute>[{"name":"${text}","args":{"${text}":"${text}"}}]`),
    );
    fc.assert(
      fc.property(texts.chain(cut), (chunks) => {
        const parser = createParser();
        const all: ParserEvent[] = [...chunks.flatMap((chunk) => parser.write(chunk)), ...parser.end()];
        for (const event of all) {
          if ("content" in event) expect(event.content.isWellFormed()).toBe(true);
          if (event.type === "call") expect(JSON.stringify(callOf(event))).not.toMatch(/\\ud[89a-f]/);
        }
      }),
      runs,
    );
  });

  it("P13 replaces a lone surrogate written as an escape", () => {
    expect(callOf(events(call('{"\\ud83d":["\\ude80","\\ud83d\\ude80","\\\\ud83d"]}'))[0] as never).args).toEqual({
      "\ufffd": ["\ufffd", "🚀", "\\ud83d"],
    });
  });

  it.each([
    ["<think>a", {}, ["think"]],
    ["a</think>b", {}, ["respond", "respond"]],
    ["<think>a</think>b</think>c", {}, ["think", "respond"]],
    ["a</think>b", { startIn: "think" }, ["think", "respond"]],
    ["</think>b</think>c", { startIn: "think" }, ["respond", "respond"]],
    [" \n<think>a", { startIn: "think" }, ["think"]],
    ["<thin", { startIn: "think" }, ["think"]],
    ["<think><think>a", { startIn: "think" }, ["think"]],
  ] as const)("P14 reads %j with %j", (text, options, types) => {
    expect(events(text, options).map((event) => event.type)).toEqual(types);
  });

  it.each(["stop", "length", "tool_calls", "content_filter", "aborted", "other"] as const)(
    "P14 runs a block without its closer only when the generation ended normally: %s",
    (finish) => {
      expect(codes('<execute>[{"name":"a","args":{}}]\n</e', finish).at(-1)).toBe(
        finish === "stop" ? "execute" : "truncated_execute",
      );
    },
  );

  it.each([
    ['{"a":{"b":1,"\\u0062":2}}', "duplicate keys at any depth"],
    ['{"a":[{"__proto__":1}]}', "__proto__ at any depth"],
    ['{"\\u005f_proto__":1}', "an escaped __proto__"],
    [`{"a":${"[".repeat(254)}${"]".repeat(254)}}`, "depth 257"],
    ['{"a":1e999}', "an overflow"],
    ['{"a":-9007199254740992}', "an unsafe integer"],
  ])("P15 refuses %.60s: %s", (args) => {
    expect(codes(call(args))).toEqual(["malformed_execute"]);
  });

  it.each([
    [`{"a":${"[".repeat(253)}${"]".repeat(253)}}`, "depth 256"],
    ['{"a":{"x":1},"b":{"x":1}}', "the same key in two objects"],
    ['{"a":1e308,"b":1e-999,"c":9007199254740992.5}', "large and small numbers that are no integer literals"],
    ['{"constructor":{"prototype":1}}', "other special names"],
  ])("P15 accepts %.60s: %s", (args) => {
    expect(codes(call(args))).toEqual(["call", "execute"]);
  });

  it("gives the keys that were written, whatever keys came before", () => {
    const text = String.raw`<execute>[{"name":"w","args":{"c":1,"\\":2}},{"name":"w","args":{"c":[{"\u0061" :"\":"}]}}, {"name":"w","args":{"c":1,"\u0061":2}}]</execute>`;
    const calls = events(text).filter((event) => event.type === "call");
    expect(calls.map((event) => event.content)).toEqual([
      String.raw`{"name":"w","args":{"c":1,"\\":2}}`,
      String.raw`{"name":"w","args":{"c":[{"a":"\":"}]}}`,
      '{"name":"w","args":{"c":1,"a":2}}',
    ]);
  });

  it("P4 quotes no more than a little of what the model wrote", () => {
    const long = "x".repeat(100_000);
    for (const args of [`{"${long}":1,"${long}":2}`, `{"n":${"9".repeat(100_000)}}`, `{"a":"${long}" b`]) {
      const error = events(call(args)).at(-1);
      expect(error).toHaveProperty("code", "malformed_execute");
      expect((error as { content: string }).content.length).toBeLessThan(300);
    }
  });

  it("P6 refuses a number that is too large at the digit that makes it so", () => {
    const parser = createParser();
    expect(parser.write('<execute>[{"name":"w","args":{"a":1e30')).toEqual([]);
    expect(parser.write("9")).toMatchObject([{ type: "error", code: "malformed_execute" }]);
  });

  it("P8 reads results of any depth in a transcript", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const text = `<results>[{"tool":"a","status":"success","content":${deep}}]</results>`;
    expect(events(text, { results: "allow" })).toMatchObject([{ type: "result" }]);
  });

  it("ignores other keys of a call", () => {
    expect(events('<execute>[{"id":1,"args":{},"name":"a","note":{"x":[]}}]</execute>')[0]).toEqual({
      type: "call",
      content: '{"name":"a","args":{}}',
    });
  });

  it("numbers units, so that two adjacent units can be told from two pieces of one", () => {
    const parser = createParser();
    const pieces = [...parser.write("a"), ...parser.write("b<think>c"), ...parser.write("d</think><think>e</think>")];
    expect(pieces.map((event) => "unit" in event && event.unit)).toEqual([0, 0, 1, 1, 2]);
  });

  it("stamps events with one clock read a call", () => {
    let now = 100;
    const parser = createParser({ clock: () => now++ });
    const stamps: AgentEvent[] = [...parser.write("a<think>b</think>"), ...parser.write(" "), ...parser.write("c")];
    expect(stamps.map((event) => event.timestamp)).toEqual([100, 100, 101]);
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

  it("counts a transcript's outcomes", () => {
    const [result] = events(
      '<results>[{"tool":"a","status":"success","content":1},{"tool":"b","status":"failure","content":"no"}]</results>',
      { results: "allow" },
    );
    expect(result).toMatchObject({ payload: { tools_executed: 2, success_count: 1, failure_count: 1 } });
    expect(parseResults((result as { content: string }).content)).toHaveLength(2);
  });
});
