import type { Json, JsonSchema } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../define-tool.ts";
import { withoutNulls } from "./left-out.ts";

const text = { type: "string" } as const;
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });

describe("null for a member", () => {
  it.each<[string, JsonSchema, Json, Json]>([
    ["that is optional", object({ a: text, b: text }), { a: null, b: "x" }, { b: "x" }],
    ["of an inner object", object({ in: object({ a: text }) }), { in: { a: null } }, { in: {} }],
    [
      "of an object in an array",
      object({ all: { type: "array", items: object({ a: text }) } }),
      { all: [{ a: null }, { a: "x" }] },
      { all: [{}, { a: "x" }] },
    ],
    [
      "behind a reference",
      { ...object({ in: { $ref: "#/$defs/in" } }), $defs: { in: object({ a: { type: ["string", "number"] } }) } },
      { in: { a: null } },
      { in: {} },
    ],
    [
      "of one of several alternatives",
      {
        anyOf: [
          object({ kind: { const: "a" }, note: text }),
          object({ kind: { const: "b" }, size: { type: "number" } }),
        ],
      },
      { kind: "a", note: null },
      { kind: "a" },
    ],
    ["that has a list of values", object({ a: { enum: ["x", "y"] } }), { a: null }, {}],
  ])("counts as left out, for one %s", (_, schema, value, expected) => {
    expect(withoutNulls(value, schema)).toEqual(expected);
  });

  it.each<[string, JsonSchema, Json]>([
    ["that is required", object({ a: text }, { required: ["a"] }), { a: null }],
    ["whose schema admits null", object({ a: { type: ["string", "null"] } }), { a: null }],
    ["whose schema admits null as one choice", object({ a: { anyOf: [text, { type: "null" }] } }), { a: null }],
    ["whose schema admits anything", object({ a: {} }), { a: null }],
    ["whose values hold null", object({ a: { enum: ["x", null] } }), { a: null }],
    ["that is not declared", object({ a: text }), { b: null }],
    ["of an open map", object({ map: { type: "object", additionalProperties: text } }), { map: { a: null } }],
    ["that is an item of an array", object({ all: { type: "array", items: text } }), { all: [null] }],
    [
      "that one of several alternatives admits",
      { anyOf: [object({ a: text }), object({ a: { type: "null" } })] },
      { a: null },
    ],
  ])("stays, for one %s", (_, schema, value) => {
    expect(withoutNulls(value, schema)).toBe(value);
  });

  it("that is named like a part of every object stays plain data", () => {
    const value = JSON.parse('{"__proto__":{"a":1},"a":null}');
    const kept = withoutNulls(value, object({ a: text }));
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"a":1}}');
  });

  it("leaves values without it as they are, without reading the schema", () => {
    const schema = new Proxy({}, { get: () => expect.unreachable("The schema was read.") });
    const value = { a: { b: ["x", 1, false] } };
    expect(withoutNulls(value, schema)).toBe(value);
  });

  it("lets the library of the schema fill in its default", () => {
    const tool = defineTool({
      name: "find",
      description: "Finds.",
      input: z.object({ text: z.string(), limit: z.number().default(10) }),
      execute: (args) => args,
    });
    const args = withoutNulls({ text: "a", limit: null }, tool.spec.parameters);
    expect(tool.validate(args as never)).toMatchObject({ ok: true, args: { text: "a", limit: 10 } });
  });
});
