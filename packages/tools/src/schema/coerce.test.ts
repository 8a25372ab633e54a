import type { Json, JsonSchema } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Issue } from "../validation.ts";
import { coerce } from "./coerce.ts";

const array = { type: "array", items: { type: "integer" } };
const object = { type: "object", properties: { n: { type: "number" } } };

function coerced(value: Json, schema: unknown, mode: "json" | "lexical", more: JsonSchema = {}): Json | undefined {
  return coerce({ value }, { type: "object", properties: { value: schema }, ...more }, mode).value;
}

describe("coerce", () => {
  it.each<[string, Json, unknown, Json]>([
    ["an array", "[1, 2]", array, [1, 2]],
    ["an object", ' {"n": 1} ', object, { n: 1 }],
    ["an array or null", "[1]", { anyOf: [array, { type: "null" }] }, [1]],
    ["an array by a list of types", "[1]", { type: ["array", "null"] }, [1]],
    ["an array by reference", "[1]", { $ref: "#/$defs/list" }, [1]],
    ["an array in an array", ["[1]"], { type: "array", items: array }, [[1]]],
    [
      "an array within a spelled object",
      '{"list":"[1]"}',
      { type: "object", properties: { list: array } },
      { list: [1] },
    ],
    ["a positional item", ["x", "[1]"], { type: "array", prefixItems: [{ type: "string" }, array] }, ["x", [1]]],
    ["an additional property", { any: "[1]" }, { type: "object", additionalProperties: array }, { any: [1] }],
    [
      "an object with text like keys",
      '{"n":1,"a":"\\"n\\": {\\\\","b":["x", {"n" : ":"}]}',
      object,
      { n: 1, a: '"n": {\\', b: ["x", { n: ":" }] },
    ],
    ["an object demanded by all of several", '{"n":1}', { allOf: [object, { type: ["object", "string"] }] }, { n: 1 }],
  ])("reads a string that spells %s if the schema demands that type", (_, value, schema, expected) => {
    const more = { $defs: { list: array } };
    expect(coerced(value, schema, "json", more)).toEqual(expected);
    expect(coerced(value, schema, "lexical", more)).toEqual(expected);
  });

  it.each<[string, string, unknown]>([
    ["admits a string", "[1]", { type: ["string", "array"] }],
    ["admits a string in an alternative", "[1]", { anyOf: [array, { type: "string" }] }],
    ["admits a string in an enum", "[1]", { enum: ["[1]", 2] }],
    ["is a string", '{"n":1}', { type: "string" }],
    ["says nothing", "[1]", {}],
    ["is true", "[1]", true],
    ["demands the other container", "[1]", object],
    ["demands an array and the text is cut off", "[1, 2", array],
    ["demands an array and the text is more than one", "[1][2]", array],
    ["demands an array and a number would lose digits", "[12345678901234567890]", array],
    ["demands an object and a key is hostile", '{"__proto__":{"a":1}}', object],
    ["demands an object and a key stands there twice", '{"n":1,"n":2}', object],
    ["demands an object and a key stands there twice, written differently", '{"n":1,"\\u006e":2}', object],
    ["demands an object and a key stands twice further in", '{"n":[{"a":{"b":1,"b":1}}]}', object],
    ["demands an array and a key stands twice in an item", '[1,{"a":"\\"","a":2}]', array],
    ["demands an array and the nesting is hostile", "[".repeat(5000) + "]".repeat(5000), array],
    ["demands a number, in json mode", "5", { type: "number" }],
  ])("leaves a string if the schema %s", (_, value, schema) => {
    expect(coerced(value, schema, "json")).toBe(value);
  });

  it.each<[string, unknown, Json]>([
    ["42", { type: "integer" }, 42],
    [" -3.5e2 ", { type: "number" }, -350],
    ["1.0", { type: "integer" }, 1],
    ["0", { type: "number" }, 0],
    ["true", { type: "boolean" }, true],
    ["false", { type: "boolean" }, false],
    ["null", { type: "null" }, null],
    ["null", { anyOf: [{ type: "integer" }, { type: "null" }] }, null],
    ["7", { anyOf: [{ type: "integer" }, { type: "null" }] }, 7],
    ["2", { enum: [1, 2, 3] }, 2],
    ["true", { const: true }, true],
    ["9", { allOf: [{ type: "number" }, { type: "integer" }] }, 9],
    ["5", { allOf: [{ type: "number" }, { minimum: 1 }] }, 5],
    ["5", { type: "number", allOf: [{ minimum: 1 }, { description: "five" }] }, 5],
  ])("reads %j lexically for %j", (value, schema, expected) => {
    expect(coerced(value, schema, "lexical")).toBe(expected);
    expect(coerced(value, schema, "json")).toBe(value);
  });

  it.each<[string, unknown]>([
    ["", { type: "number" }],
    ["007", { type: "integer" }],
    ["+5", { type: "number" }],
    ["0x10", { type: "number" }],
    ["1_000", { type: "number" }],
    ["1,5", { type: "number" }],
    ["1.5", { type: "integer" }],
    ["9007199254740993", { type: "integer" }],
    ["1e999", { type: "number" }],
    ["NaN", { type: "number" }],
    ["True", { type: "boolean" }],
    ["yes", { type: "boolean" }],
    ["1", { type: "boolean" }],
    ["", { type: "null" }],
    ["5", { type: ["number", "string"] }],
    ["5", {}],
  ])("leaves %j for %j", (value, schema) => {
    expect(coerced(value, schema, "lexical")).toBe(value);
  });

  it.each<[string, JsonSchema, Json]>([
    ["number where another part adds a limit", { allOf: [declares({ type: "number" }), declares({ minimum: 1 })] }, 5],
    ["number where a reference adds a limit", { ...declares({ type: "number" }), $ref: "#/$defs/limit" }, 5],
    [
      "number where an alternative adds a limit",
      { ...declares({ type: "number" }), anyOf: [declares({ minimum: 1 })] },
      5,
    ],
    ["number where only one alternative admits a string", { anyOf: [declares({ type: "number" }), declares({})] }, "5"],
    [
      "string or number, though one alternative is narrower",
      { ...declares({}), oneOf: [declares({ type: "number" })] },
      "5",
    ],
  ])("combines all parts of a schema that describe a property: %s", (_, parts, expected) => {
    const schema = { type: "object", $defs: { limit: declares({ minimum: 1 }) }, ...parts };
    expect(coerce({ value: "5" }, schema, "lexical")).toEqual({ value: expected });
    const nested = { type: "object", properties: { list: { type: "array", items: schema } }, $defs: schema.$defs };
    expect(coerce({ list: [{ value: "5" }] }, nested, "lexical")).toEqual({ list: [{ value: expected }] });
  });

  it("reads the JSON Schema of zod's unions, nested and recursive types", () => {
    interface Tree {
      size: number;
      children: Tree[];
    }
    const tree: z.ZodType<Tree> = z.object({ size: z.number(), children: z.lazy(() => z.array(tree)) });
    const input = z.object({ tree, when: z.union([z.boolean(), z.object({ at: z.int() })]).nullable() });
    const schema = input["~standard"].jsonSchema.input({ target: "draft-2020-12" });
    const args = { tree: { size: "1", children: '[{"size":"2","children":[]}]' }, when: '{"at":"3"}' };
    expect(coerce(args, schema, "lexical")).toEqual({
      tree: { size: 1, children: [{ size: 2, children: [] }] },
      when: { at: 3 },
    });
  });

  it("terminates on references that form a circle", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } },
    };
    expect(coerce({ a: "[1]" }, schema, "lexical")).toEqual({ a: "[1]" });
  });

  it.each<[value: Json, schema: unknown, path: string, message: string]>([
    [
      "2512292042121000001",
      { type: "integer" },
      "value",
      "not a number that can be kept; expected an integer up to 9007199254740991",
    ],
    [
      "-9007199254740993.0",
      { type: "integer" },
      "value",
      "not a number that can be kept; expected an integer up to 9007199254740991",
    ],
    ["1e999", { type: "number" }, "value", "not a number that can be kept; expected a number of at most 15 digits"],
    [
      [1, ["9007199254740993"]],
      { type: "array", items: array },
      "value[1][0]",
      "not a number that can be kept; expected an integer up to 9007199254740991",
    ],
    [
      "[1,9007199254740993]",
      array,
      "value",
      "not valid JSON at character 4: not a number that can be kept; write it as a string",
    ],
    ['{"n":1,"n":2}', object, "value", 'not valid JSON at character 10: the key "n" is given twice or not allowed'],
    ["[1, 2", array, "value", "not valid JSON at character 6: found the end of the text instead of ,] after [1,2"],
  ])("leaves %j for %j, and says why at its path", (value, schema, path, message) => {
    const issues: Issue[] = [];
    const refused = (issue: Issue) => issues.push(issue);
    expect(coerce({ value }, { properties: { value: schema } }, "lexical", undefined, refused)).toEqual({ value });
    expect(issues).toEqual([{ path, message }]);
  });

  it("returns a copy and does not change its argument", () => {
    const args = { value: { list: "[1]", other: [{ deep: 1 }] } };
    const before = structuredClone(args);
    const copy = coerce(args, { type: "object" }, "lexical");
    expect(copy).toEqual(before);
    (copy.value as { other: { deep: number }[] }).other.push({ deep: 2 });
    expect(args).toEqual(before);
  });
});

function declares(value: JsonSchema): JsonSchema {
  return { properties: { value } };
}
