import type { Json, JsonSchema } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { jsonSchemaCheck, jsonSchemaValidator } from "./json-schema-validator.ts";

/** Each part refers twice to the one before: `levels` lines demand 2 ** levels steps. */
function doubling(keyword: "allOf" | "anyOf" | "oneOf", levels: number): JsonSchema {
  const $defs: Record<string, JsonSchema> = { d0: { type: "object", required: ["a"] } };
  for (let at = 1; at <= levels; at++) {
    const before = { $ref: `#/$defs/d${at - 1}` };
    $defs[`d${at}`] = { [keyword]: [before, before] };
  }
  return { type: "object", $defs, $ref: `#/$defs/d${levels}` };
}

/** Doubles with each level of the value. */
const doublingWithDepth: JsonSchema = {
  type: "object",
  allOf: [{ properties: { a: { $ref: "#" } } }, { properties: { a: { $ref: "#" } } }],
};

function nested(depth: number): Json {
  let value: Json = {};
  for (let at = 0; at < depth; at++) value = { a: value };
  return value;
}

describe("the steps of a schema", () => {
  it.each<[string, JsonSchema, Json]>([
    ["allOf that doubles", doubling("allOf", 60), { a: 1 }],
    ["anyOf that doubles, of which nothing fits", doubling("anyOf", 60), {}],
    ["oneOf that doubles", doubling("oneOf", 60), { a: 1 }],
    ["a part that doubles with each level of the value", doublingWithDepth, nested(60)],
    [
      "many parts for each of many properties",
      { allOf: Array.from({ length: 2000 }, () => ({ additionalProperties: true })) },
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at])),
    ],
    [
      "a long list of choices for each of many items",
      { items: { enum: Array.from({ length: 20_000 }, (_, at) => at) } },
      Array.from({ length: 50_000 }, () => 19_999),
    ],
  ])("are bounded: %s", (_, schema, value) => {
    const unbearable = /takes more than 1000000 steps|call stack/;
    expect(() => jsonSchemaCheck(schema)(value)).toThrow(unbearable);
    expect(() => jsonSchemaValidator(schema)(value)).toThrow(unbearable);
  });

  it("are counted anew for each value, and suffice for a long one", () => {
    const check = jsonSchemaCheck({
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { type: "number" } } }] },
    });
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id }));
    expect([check(rows), check(rows), check([...rows, { id: "x" }])]).toEqual([
      undefined,
      undefined,
      expect.stringContaining("[100000]"),
    ]);
  });

  it("admit the same values, whether a schema is `true` or empty", () => {
    const open = jsonSchemaCheck({ properties: { a: true }, additionalProperties: true, not: { required: ["b"] } });
    expect([open({ a: 1, c: [1] }), open({ b: 1 })]).toEqual([undefined, expect.any(String)]);
    expect(jsonSchemaCheck({ not: true })({})).toEqual(expect.any(String));
  });
});
