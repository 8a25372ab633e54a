import { describe, expect, it } from "vitest";
import { fillSchema } from "./fill-schema.ts";

const said = "What I know.";
const text = { type: "string" };

describe("fillSchema", () => {
  const node = { type: "object", properties: { name: text, next: { $ref: "#" } }, required: ["name"] };
  it.each<[what: string, schema: object, value: unknown]>([
    ["a text", text, said],
    ["no type at all", {}, said],
    ["the first of several texts", { properties: { a: text, b: text } }, { a: said, b: "" }],
    ["a short text", { type: "string", maxLength: 4 }, "What"],
    ["a long text", { type: "string", minLength: 15 }, "What I know...."],
    ["a text of another pattern", { type: "string", pattern: "^[0-9]+$" }, "0"],
    ["a text of a pattern and a length", { type: "string", pattern: "^[a-z]+$", minLength: 5 }, "aaaaaaaa"],
    ["a text of a pattern that is none", { type: "string", pattern: "[" }, ""],
    ["a date", { type: "string", format: "date" }, "2026-01-31"],
    ["a choice", { enum: ["low", "high"] }, "low"],
    ["a constant", { const: 7 }, 7],
    ["a constant null", { const: null }, null],
    ["a default", { type: "integer", default: 9 }, 9],
    ["true or false", { type: "boolean" }, true],
    ["nothing", { type: "null" }, null],
    ["a value or null", { type: ["null", "string"] }, said],
    ["a number", { type: "number" }, 0],
    ["a number above 0", { type: "number", exclusiveMinimum: 0, maximum: 0.5 }, 0.25],
    ["a whole number above 2", { type: "integer", exclusiveMinimum: 2 }, 3],
    ["a whole number below 0", { type: "integer", exclusiveMaximum: 0 }, -1],
    ["a multiple", { type: "integer", minimum: 10, multipleOf: 4 }, 12],
    ["a list", { type: "array", items: text }, [said]],
    ["a list of three", { type: "array", items: { type: "integer" }, minItems: 3 }, [0, 0, 0]],
    [
      "a list without repetition",
      { type: "array", items: { enum: ["a", "b"] }, minItems: 2, uniqueItems: true },
      ["a", "b"],
    ],
    [
      "different things",
      { type: "array", items: { properties: { n: { type: "integer", maximum: 0 } } }, minItems: 2, uniqueItems: true },
      [{ n: 0 }, { n: -1 }],
    ],
    ["a list that holds something", { type: "array", contains: { const: 5 } }, [5]],
    [
      "names that are not listed",
      { type: "object", required: ["a"], additionalProperties: { type: "integer" } },
      { a: 0 },
    ],
    ["as many names as there must be", { minProperties: 2, properties: { a: { const: 1 } } }, { a: 1, entry1: said }],
    ["a list of none", { type: "array", items: text, maxItems: 0 }, []],
    ["a tuple", { type: "array", prefixItems: [text, { type: "integer" }], items: false }, [said, 0]],
    ["one of several", { anyOf: [{ type: "null" }, { type: "object", properties: { a: text } }] }, { a: said }],
    [
      "all of several",
      { allOf: [{ properties: { a: text } }, { properties: { b: { type: "integer" } } }] },
      { a: said, b: 0 },
    ],
    ["a reference", { $ref: "#/$defs/a~1b", $defs: { "a/b": { const: 1 } } }, 1],
    ["a reference to nowhere", { $ref: "#/$defs/a" }, said],
    [
      "itself, some levels deep",
      node,
      { name: said, next: { name: "", next: { name: "", next: { name: "", next: { name: "" } } } } },
    ],
  ])("fills in %s", (_what, schema, value) => {
    expect(fillSchema(schema, said)).toEqual(value);
  });

  it("ends for a schema that demands itself without end", () => {
    const endless = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
    expect(JSON.stringify(fillSchema(endless, said))).toContain('"next":null');
    expect(fillSchema({ $ref: "#" }, said)).toBe(said);
    expect(fillSchema({ allOf: [{ $ref: "#" }, { $ref: "#" }] }, said)).toBe(said);
  });
});
