import type { JsonObject, JsonSchema } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchContext, executorOf } from "../../test/support/fixtures.ts";
import { defineTool } from "../define-tool.ts";
import { ToolError } from "../errors.ts";

const object = (properties: JsonSchema, more: JsonSchema = {}) => ({ type: "object", properties, ...more });

function toolOf(input: JsonSchema) {
  return defineTool({ name: "t", description: "Test tool", input, execute: (args) => args });
}

function filled(input: JsonSchema, args: JsonObject): unknown {
  const validation = toolOf(input).validate(args);
  if (validation instanceof Promise) throw new Error("plain JSON Schema is checked at once");
  return validation.ok ? validation.args : validation.issues;
}

const limit = { type: "integer", default: 5 };

describe("the default of a plain JSON Schema", () => {
  it.each<[string, JsonSchema, JsonObject, unknown]>([
    ["of a property", object({ limit }), {}, { limit: 5 }],
    ["beside what is given", object({ file: { type: "string" }, limit }), { file: "a" }, { file: "a", limit: 5 }],
    ["of a required property", object({ limit }, { required: ["limit"] }), {}, { limit: 5 }],
    ["null", object({ a: { type: ["string", "null"], default: null } }), {}, { a: null }],
    ["false", object({ a: { type: "boolean", default: false } }), {}, { a: false }],
    ["an empty text", object({ a: { default: "" } }), {}, { a: "" }],
    ["a list", object({ a: { type: "array", default: [1] } }), {}, { a: [1] }],
    ["of a nested object", object({ page: object({ limit }) }), { page: {} }, { page: { limit: 5 } }],
    ["not of an object that is absent", object({ page: object({ limit }) }), {}, {}],
    [
      "of the items of a list",
      object({ a: { type: "array", items: object({ limit }) } }),
      { a: [{}, { limit: 1 }] },
      { a: [{ limit: 5 }, { limit: 1 }] },
    ],
    [
      "of positional items",
      object({ a: { prefixItems: [object({ limit }), object({})] } }),
      { a: [{}, {}] },
      { a: [{ limit: 5 }, {}] },
    ],
    [
      "of the values of a map",
      object({ a: { type: "object", additionalProperties: object({ limit }) } }),
      { a: { x: {} } },
      { a: { x: { limit: 5 } } },
    ],
    ["inside of a default", object({ page: object({ limit }, { default: {} }) }), {}, { page: { limit: 5 } }],
    [
      "inside of a default, three deep",
      object({ a: object({ b: object({ limit }, { default: {} }) }, { default: {} }) }),
      {},
      { a: { b: { limit: 5 } } },
    ],
    ["behind a reference", object({ a: { $ref: "#/$defs/limit" } }, { $defs: { limit } }), {}, { a: 5 }],
    [
      "beside a reference, which comes first",
      object({ a: { $ref: "#/$defs/limit", default: 7 } }, { $defs: { limit } }),
      {},
      { a: 7 },
    ],
    ["of a part of allOf", object({}, { allOf: [object({ limit })] }), {}, { limit: 5 }],
    [
      "of a schema that refers to itself",
      object({ limit, next: { $ref: "#" } }),
      { next: { next: {} } },
      { limit: 5, next: { limit: 5, next: { limit: 5 } } },
    ],
    ["not of an alternative", object({}, { anyOf: [object({ limit }), object({ a: {} })] }), {}, {}],
    [
      "not of a condition",
      object({ a: {} }, { if: object({ a: { const: 1 } }), else: object({ limit }) }),
      { a: 2 },
      { a: 2 },
    ],
    ["not of an example", object({ a: { examples: [{ default: 1 }] } }), {}, {}],
    ["of a property of that name", object({ default: { type: "string", default: "x" } }), {}, { default: "x" }],
    [
      "of a property that every object has",
      object({ toString: { type: "string", default: "x" } }),
      {},
      { toString: "x" },
    ],
  ])("is filled in: %s", (_, schema, args, expected) => {
    const given = structuredClone(args);
    expect(filled(schema, args)).toEqual(expected);
    expect(args).toEqual(given);
  });

  it.each<[JsonObject]>([[{ limit: 1 }], [{ limit: 0 }], [{ limit: 5 }]])("never changes what is there: %j", (args) => {
    expect(filled(object({ limit: { type: "integer", default: 5 } }), args)).toEqual(args);
  });

  it("does not replace a value that does not fit", () => {
    expect(filled(object({ limit }), { limit: null })).toEqual([
      { path: "limit", message: "expected integer, received null" },
    ]);
  });

  it("is a new copy for each call", async () => {
    const tool = defineTool({
      name: "t",
      description: "t",
      input: object({ page: { type: "object", default: { tags: [] } } }),
      execute: (args) => (args as { page: { tags: unknown[] } }).page.tags.push("seen"),
    });
    const calls = [
      { name: "t", args: {} },
      { name: "t", args: {} },
    ];
    expect((await executorOf([tool]).run(calls, batchContext())).map(({ value }) => value)).toEqual([1, 1]);
  });

  it("does not change the schema that the model reads", () => {
    const schema = object({ limit });
    expect(toolOf(schema).spec.parameters).toEqual(schema);
  });

  it.each<[string, JsonSchema, string]>([
    [
      "of another type",
      object({ limit: { type: "integer", default: "5" } }),
      'the default "5" does not fit its own schema: expected integer',
    ],
    ["that is no choice", object({ fit: { enum: ["a", "b"], default: "c" } }), "expected one of"],
    ["that is too small", object({ n: { type: "number", minimum: 1, default: 0 } }), "the default 0 does not fit"],
    ["in a nested object", object({ a: object({ n: { type: "string", default: 1 } }) }), "the default 1"],
    [
      "in the items of a list",
      object({ a: { type: "array", items: { type: "string", default: 1 } } }),
      "the default 1",
    ],
    ["in a definition", object({}, { $defs: { n: { type: "string", default: 1 } } }), "the default 1"],
    ["in an alternative", object({ a: { anyOf: [{ type: "string", default: 1 }, {}] } }), "the default 1"],
    [
      "behind a reference",
      object({ a: { $ref: "#/$defs/n", default: 1 } }, { $defs: { n: { type: "string" } } }),
      "the default 1",
    ],
    [
      "with a part that does not fit",
      object({ a: object({ n: { type: "string" } }, { default: { n: 1 } }) }),
      "n: expected string",
    ],
    ["that lacks a part", object({ a: object({}, { required: ["n"], default: {} }) }), "n: required"],
    ["that never ends", object({ next: { $ref: "#", default: {} } }), "never end"],
    ["of the whole", object({ n: { type: "string" } }, { default: { n: 1 } }), "n: expected string"],
    ["that is long", object({ a: { type: "integer", default: "x".repeat(10_000) } }), "…"],
  ])("is refused when the tool is defined: one %s", (_, schema, message) => {
    const define = () => toolOf(schema);
    expect(define).toThrow(ToolError);
    expect(define).toThrow(expect.objectContaining({ code: "invalid_schema", tool: "t" }));
    expect(define).toThrow(message);
  });

  it("is accepted if defaults of its parts complete it", () => {
    const page = object({ limit }, { required: ["limit"], default: {} });
    expect(filled(object({ page }), {})).toEqual({ page: { limit: 5 } });
  });

  it("fills in only absent properties, for any arguments", () => {
    const leaf = fc.record({ type: fc.constant("integer"), default: fc.nat() });
    const properties = fc.dictionary(fc.constantFrom("a", "b", "c"), leaf, { minKeys: 1, noNullPrototype: true });
    const given = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat(), { noNullPrototype: true });
    fc.assert(
      fc.property(properties, given, (properties, given) => {
        const known = Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(properties, key)));
        const defaults = Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, schema.default]));
        expect(filled(object(properties), known)).toEqual({ ...defaults, ...known });
      }),
      { numRuns: 50 },
    );
  });
});
