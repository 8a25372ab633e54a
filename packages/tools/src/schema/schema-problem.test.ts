import type { Json } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { schemaProblem } from "./schema-problem.ts";

const withProperty = (a: Json) => ({ type: "object", properties: { a } });

describe("the schema of a tool", () => {
  it.each<[what: string, schema: Json]>([
    ["an object without keys", { type: "object" }],
    [
      "what zod makes",
      z.toJSONSchema(z.object({ a: z.enum(["x"]), b: z.array(z.int().min(1)).max(3).optional() })) as Json,
    ],
    ["a choice of types and of schemas", withProperty({ type: ["string", "null"], anyOf: [{ const: 1 }, true] })],
    ["one that refers to itself", { ...withProperty({ $ref: "#" }), $defs: { b: false } }],
    ["a list of places", withProperty({ type: "array", prefixItems: [{ type: "string" }], items: false })],
    ["properties with the names of keywords", { type: "object", properties: { type: {}, properties: {}, enum: {} } }],
    ["keywords that are not known", withProperty({ "x-order": 1 })],
    ["data that looks like a schema", withProperty({ default: { type: "nonsense" }, examples: [{ type: 1 }] })],
  ])("may be %s", (_, schema) => {
    expect(schemaProblem(schema)).toBeUndefined();
  });

  it.each<[schema: Json, problem: string]>([
    [withProperty({ type: "nonsense" }), "properties.a.type must be one of object, array, string"],
    [withProperty({ type: [] }), "properties.a.type must be one of"],
    [withProperty("string"), "properties.a must be a schema, which is an object"],
    [{ type: "object", properties: [] }, "properties must be an object of schemas"],
    [{ type: "object", required: "a" }, "required must be a list of texts"],
    [{ type: "object", required: ["a", "a"] }, "required must be a list of texts, each once"],
    [withProperty({ enum: [] }), "properties.a.enum must be a list that is not empty"],
    [withProperty({ anyOf: {} }), "properties.a.anyOf must be a list of schemas"],
    [withProperty({ oneOf: [1] }), "properties.a.oneOf[0] must be a schema"],
    [withProperty({ pattern: "(" }), "properties.a.pattern must be a regular expression"],
    [withProperty({ minimum: "1" }), "properties.a.minimum must be a number"],
    [withProperty({ maxLength: -1 }), "properties.a.maxLength must be a whole number from 0 up"],
    [withProperty({ multipleOf: 0 }), "properties.a.multipleOf must be a number above 0"],
    [withProperty({ $ref: "https://a.example/schema" }), "properties.a.$ref must be a reference within the schema"],
    [withProperty({ description: 1 }), "properties.a.description must be a text"],
    [{ type: "object", $defs: { b: { items: [{}] } } }, "$defs.b.items must be a schema"],
  ])("is refused with its place: %j", (schema, problem) => {
    expect(schemaProblem(schema)).toContain(problem);
  });
});
