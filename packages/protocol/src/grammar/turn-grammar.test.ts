import { describe, expect, it } from "vitest";
import { readGbnf } from "../../test/gbnf/read-gbnf.ts";
import { Recognizer } from "../../test/gbnf/recognize.ts";
import type { JsonSchema } from "../json.ts";
import { END, EXECUTE, EXECUTE_CLOSE, RESULTS, RESULTS_CLOSE, THINK, THINK_CLOSE } from "../text/markers.ts";
import type { ToolSpec } from "../tool.ts";
import { turnGrammar } from "./turn-grammar.ts";
import type { TurnLanguage } from "./turn-language.ts";

const tool = (name: string, parameters: JsonSchema): ToolSpec => ({ name, description: "", parameters });
const read = tool("read", { type: "object", properties: { file: { type: "string" } }, required: ["file"] });
const block = '<execute>[{"name":"read","args":{"file":"a.txt"}}]</execute>';

function recognizer(language: Partial<TurnLanguage> = {}): Recognizer {
  return new Recognizer(readGbnf(turnGrammar({ tools: [read], ...language })));
}

/** Whether a call of a tool that takes `value` of this schema is of the language. */
function takes(schema: unknown): (value: string) => boolean {
  const parameters = { type: "object", properties: { value: schema }, required: ["value"] };
  const law = recognizer({ tools: [tool("t", parameters)] });
  return (value) => law.accepts(`<execute>[{"name":"t","args":{"value":${value}}}]</execute>`);
}

describe("the grammar of a turn", () => {
  it.each([
    "Hello.",
    "<end>",
    `<think>Hm, <b>bold</b> and \`code.</think>I look.\n\n${block}`,
    `One.<think>Two.</think>Three.<end>`,
    `Mostly thoughts.</think>${block}`,
    "A `span`, a ``longer`` one\nand another `line.",
    "```ts\nconst a = b < c;\n``\n```\nDone.<end>",
    `i<end; i <execut <thinking> <endpoint>${block}`,
    `<execute>\n[\n{"name": "read", "args": {"file": "a <end> </execute>"}},\n{"name":"read","args":{"file":""}}\n]\n</execute>`,
  ])("has the answer %j", (text) => {
    expect(recognizer().accepts(text)).toBe(true);
  });

  it.each([
    ["no word", ""],
    ["nothing but a thought", "<think>Hm.</think>"],
    ["a thought that is open", "<think>Hm."],
    ["text after a block", `${block}.`],
    ["text after the end", "<end>."],
    ["a block of no call", "<execute>[]</execute>"],
    ["a marker in code", "Write `<end>`."],
    ["a block in code that is open", `\`a ${block}`],
    ["a block that has no closer", block.slice(0, -1)],
    ["an unknown tool", block.replace("read", "write")],
    ["an argument of another type", block.replace('"a.txt"', "1")],
    ["a required argument less", block.replace('"file":"a.txt"', "")],
    ["text that ends like a marker", "a <exec"],
    ["results", '<results>[{"tool":"read","status":"success","content":1}]</results>'],
    ["a second closer of thinking", "a</think>b</think>c"],
  ])("has no answer with %s", (_, text) => {
    expect(recognizer().accepts(text)).toBe(false);
  });

  it.each([THINK, THINK_CLOSE, EXECUTE, EXECUTE_CLOSE, RESULTS, RESULTS_CLOSE, END])(
    "lets no text look like %s, in any letter case, in a reply, in code or in a thought",
    (marker) => {
      const law = recognizer();
      const capital = marker.replace(/[a-z]/, (letter) => letter.toUpperCase());
      for (const start of ["Text ", "A `span ", "```\nfence ", "<think>Thought "]) {
        expect(law.acceptsBeginning(`${start}${marker.slice(0, -1)}`)).toBe(true);
        expect(law.acceptsBeginning(`${start}${capital}`)).toBe(false);
      }
      const thought = law.acceptsBeginning(`<think>Thought ${marker}`);
      expect(thought).toBe(marker === THINK_CLOSE);
    },
  );

  it("begins inside of a thought where the chat template has opened it", () => {
    const law = recognizer({ startIn: "think" });
    expect(law.accepts(`Hm.</think>${block}`)).toBe(true);
    expect(law.accepts(block)).toBe(false);
  });

  it("has no block without tools", () => {
    const law = recognizer({ tools: [] });
    expect([law.accepts("Hello.<end>"), law.accepts(block)]).toEqual([true, false]);
  });

  it("has calls of other tools with any object, if there are others", () => {
    const law = recognizer({ hasOthers: true });
    expect(law.accepts('<execute>[{"name":"other","args":{"a":[1,{"b":null}]}}]</execute>')).toBe(true);
    expect(law.accepts(block.replace('"a.txt"', "1"))).toBe(false);
    expect(law.accepts('<execute>[{"name":"other","args":{"__proto__":1}}]</execute>')).toBe(false);
  });

  it("writes XML where the dialect is that", () => {
    const law = recognizer({ dialect: "xml" });
    expect(law.accepts("<execute>\n<read><file>\na <b> </c>\n</file></read>\n</execute>")).toBe(true);
    expect(law.accepts("<execute><read></read></execute>")).toBe(false);
    expect(law.accepts("<execute><read><file>a</read></execute></file></read></execute>")).toBe(false);
  });

  it("is the same text for the same tools, and is kept for their array", () => {
    const tools = [read];
    expect(turnGrammar({ tools: [read] })).toBe(turnGrammar({ tools }));
    expect(turnGrammar({ tools, startIn: "think" })).not.toBe(turnGrammar({ tools }));
  });
});

describe("the grammar of a value", () => {
  it.each<[keywords: string, schema: unknown, yes: string[], no: string[]]>([
    ["enum", { enum: ["a", 1, null] }, ['"a"', "1", "null"], ['"b"', "true"]],
    ["const", { const: { a: [1] } }, ['{"a":[1]}'], ["{}"]],
    ["integer", { type: "integer" }, ["0", "-12", "999999999999999"], ["1.5", "01", "1e3", "9007199254740993"]],
    ["bounds", { type: "integer", minimum: -3, maximum: 120 }, ["-3", "0", "99", "120"], ["-4", "121", "1000"]],
    [
      "exclusive bounds",
      { type: "number", exclusiveMinimum: 0, maximum: 1 },
      ["1", "1.0", "0.5"].slice(0, 1),
      ["0", "2"],
    ],
    ["multipleOf", { type: "integer", minimum: 0, maximum: 20, multipleOf: 5 }, ["0", "15"], ["3", "25"]],
    ["lengths", { type: "string", minLength: 2, maxLength: 3 }, ['"ab"', '"a\\n🚀"'], ['"a"', '"abcd"']],
    ["pattern", { type: "string", pattern: "^a\\d{2}$" }, ['"a12"'], ['"a1"', '"b12"']],
    ["an escape in a pattern", { type: "string", pattern: '^["\\\\]$' }, ['"\\""', '"\\\\"'], ['"a"', '"""']],
    ["look-around, which is left", { type: "string", pattern: "^(?=a)" }, ['"a"', '"b"'], ["1"]],
    ["format", { type: "string", format: "date" }, ['"2026-02-28"'], ['"2026-02-30"', '"today"']],
    [
      "items",
      { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 2 },
      ["[true]", "[true, false]"],
      ["[]", "[1]"],
    ],
    [
      "places",
      { type: "array", prefixItems: [{ type: "null" }], items: false },
      ["[]", "[null]"],
      ["[1]", "[null,null]"],
    ],
    ["types", { type: ["string", "null"] }, ['"a"', "null"], ["1"]],
    ["anyOf", { anyOf: [{ type: "integer" }, { type: "array", maxItems: 0 }] }, ["1", "[]"], ['"a"', "[1]"]],
    [
      "allOf",
      { allOf: [{ type: "object", properties: { a: { type: "integer" } } }, { required: ["a"] }] },
      ['{"a":1}'],
      ["{}", '{"a":"b"}'],
    ],
    [
      "optional properties",
      { properties: { a: { type: "null" }, b: { type: "null" } } },
      ["{}", '{"a":null}', '{"b":null}', '{"a":null,"b":null}'],
      ['{"a":null,}', '{"a":null,"a":null}', '{"c":null}'],
    ],
    [
      "free keys",
      { additionalProperties: { type: "integer" } },
      ["{}", '{"x":1,"y":2}'],
      ['{"x":"a"}', '{"__proto__":1}'],
    ],
    ["what can have no value", { properties: { a: false } }, ["{}"], ['{"a":1}']],
    ["any value", true, ["1", '"a"', '[{"a":[null]}]'], ["", "undefined"]],
  ])("binds %s", (_, schema, yes, no) => {
    const law = takes(schema);
    expect(yes.filter((value) => !law(value))).toEqual([]);
    expect(no.filter((value) => law(value))).toEqual([]);
  });

  it("follows references, also of a schema to itself", () => {
    const tree = { type: "object", properties: { next: { $ref: "#/$defs/tree" } }, additionalProperties: false };
    const law = recognizer({ tools: [tool("t", { $ref: "#/$defs/tree", $defs: { tree } })] });
    expect(law.accepts('<execute>[{"name":"t","args":{"next":{"next":{}}}}]</execute>')).toBe(true);
    expect(law.accepts('<execute>[{"name":"t","args":{"next":1}}]</execute>')).toBe(false);
  });

  it("leaves a tool out whose arguments can have no value", () => {
    const never = tool("never", { type: "object", properties: { a: false }, required: ["a"] });
    expect(recognizer({ tools: [never] }).acceptsBeginning("<execute>")).toBe(false);
  });
});
