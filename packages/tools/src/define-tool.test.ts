import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { ToolError } from "./errors.ts";
import type { ToolAnnotations } from "./tool.ts";

const anything = { description: "Test tool", execute: () => null };

describe("defineTool", () => {
  it("shows the model the JSON Schema of a zod schema, without what the library adds", () => {
    const input = z.object({ file: z.string().describe("Relative path"), limit: z.int().min(1).max(9).optional() });
    const { spec } = defineTool({ ...anything, name: "read", input });
    expect(JSON.stringify(spec)).toBe(
      '{"name":"read","description":"Test tool","parameters":{"type":"object","properties":{"file":' +
        '{"type":"string","description":"Relative path"},"limit":{"type":"integer","minimum":1,"maximum":9}},"required":["file"]}}',
    );
  });

  it("gives the same frozen bytes each time a tool is defined", () => {
    const define = () =>
      defineTool({ ...anything, name: "t", input: z.object({ b: z.string(), a: z.array(z.int()) }) });
    const { spec } = define();
    expect(JSON.stringify(spec)).toBe(JSON.stringify(define().spec));
    expect(() => Object.assign(spec.parameters, { type: "string" })).toThrow(TypeError);
    expect(() => Object.assign(spec, { name: "u" })).toThrow(TypeError);
  });

  it("marks only read-only tools as such, with the same bytes otherwise", () => {
    const specOf = (annotations?: ToolAnnotations) =>
      JSON.stringify(defineTool({ ...anything, name: "t", input: z.object({}), annotations }).spec);
    const spec = '{"name":"t","description":"Test tool","parameters":{"type":"object","properties":{}}';
    expect(specOf({ readOnlyHint: true })).toBe(`${spec},"readOnly":true}`);
    expect([specOf({ readOnlyHint: false }), specOf({ openWorldHint: true }), specOf()]).toEqual(
      Array(3).fill(`${spec}}`),
    );
  });

  it("keeps properties that are named like keywords of a schema", () => {
    const input = {
      type: "object",
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { $schema: { type: "string" } },
    };
    const { spec } = defineTool({ ...anything, name: "t", input });
    expect(spec.parameters).toEqual({ type: "object", properties: { $schema: { type: "string" } } });
  });

  it("does not notice later changes of the schema it was given", () => {
    const input: Record<string, unknown> = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const tool = defineTool({ ...anything, name: "t", input });
    input.properties = {};
    expect(tool.spec.parameters.properties).toEqual({ a: { type: "string" } });
    expect(tool.validate({})).toMatchObject({ ok: false });
    expect(tool.validate({ a: "x" })).toEqual({ ok: true, args: { a: "x" } });
  });

  it("accepts a valibot schema with `parameters`", async () => {
    const parameters = { type: "object", properties: { size: { type: "number" } }, required: ["size"] };
    const input = v.object({ size: v.pipe(v.number(), v.minValue(1), v.transform(String)) });
    const tool = defineTool({
      ...anything,
      name: "t",
      input,
      parameters,
      execute: ({ size }) => size.padStart(3, "0"),
    });
    expect(tool.spec.parameters).toEqual(parameters);
    expect(await tool.validate({ size: 5 })).toEqual({ ok: true, args: { size: "5" } });
    expect(await tool.validate({ size: 0 })).toMatchObject({ ok: false, issues: [{ path: "size" }] });
  });

  it("accepts an arktype schema, and refuses the unknown keys that arktype keeps", async () => {
    const tool = defineTool({ ...anything, name: "t", input: type({ names: "string[]", "limit?": "number" }) });
    expect(tool.spec.parameters).toMatchObject({ type: "object", required: ["names"] });
    expect(await tool.validate({ names: ["a"], bogus: 1 })).toMatchObject({ ok: false, issues: [{ path: "bogus" }] });
    expect(await tool.validate({ names: ["a", 1] })).toMatchObject({ ok: false, issues: [{ path: "names[1]" }] });
  });

  it("passes the arguments to `execute` and `resource` as the schema returned them", async () => {
    const tool = defineTool({
      name: "greet",
      description: "Greets",
      input: z.object({
        name: z
          .string()
          .default("you")
          .transform((name) => name.toUpperCase()),
      }),
      execute: ({ name }) => `Hello ${name}`,
      resource: ({ name }) => `person:${name}`,
    });
    const validation = await tool.validate({});
    expect(validation).toEqual({ ok: true, args: { name: "YOU" } });
    expect(tool.resource?.({ name: "YOU" })).toBe("person:YOU");
    expect(tool.execute({ name: "YOU" }, undefined as never)).toBe("Hello YOU");
  });

  it.each([
    ["", "invalid_name"],
    ["1st", "invalid_name"],
    ["read file", "invalid_name"],
    ["a.b", "invalid_name"],
    ["é", "invalid_name"],
    ["a".repeat(65), "invalid_name"],
    ["read\n", "invalid_name"],
    ["think", "reserved_name"],
    ["execute", "reserved_name"],
    ["results", "reserved_name"],
    ["end", "reserved_name"],
  ])("refuses the name %j (%s)", (name, code) => {
    expect(() => defineTool({ ...anything, name, input: z.object({}) })).toThrow(
      expect.objectContaining({ name: "ToolError", code, tool: name }),
    );
  });

  it.each(["_", "A", "a".repeat(64), "think-twice", "End", "constructor"])("accepts the name %j", (name) => {
    expect(defineTool({ ...anything, name, input: z.object({}) }).name).toBe(name);
  });

  it.each([
    ["a valibot schema without `parameters`", v.object({}), "no_json_schema", "valibot gives no JSON Schema"],
    ["a zod type that JSON Schema cannot express", z.object({ at: z.date() }), "no_json_schema", "`parameters`"],
    ["a string at the root", z.string(), "root_not_object", '"string"'],
    [
      "a union at the root",
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      "root_not_object",
      "object",
    ],
    ["an array at the root", { type: "array", items: {} }, "root_not_object", '"array"'],
    ["a JSON Schema without a type", { properties: {} }, "root_not_object", '{"type": "object"'],
    [
      "a reference that leads nowhere",
      { type: "object", properties: { a: { $ref: "#/$defs/a" } } },
      "invalid_schema",
      "$defs/a",
    ],
    ["a key __proto__", JSON.parse('{"type":"object","properties":{"__proto__":{}}}'), "invalid_schema", "__proto__"],
    ["a schema with a cycle", cyclic(), "invalid_schema", "no JSON"],
    ["no schema", "string", "invalid_schema", "neither"],
    ["null", null, "invalid_schema", "neither"],
  ])("refuses %s when the tool is defined", (_, input, code, text) => {
    const define = () => defineTool({ ...anything, name: "bad", input: input as never });
    expect(define).toThrow(ToolError);
    expect(define).toThrow(expect.objectContaining({ code, tool: "bad", message: expect.stringContaining(text) }));
  });

  it.each([0, -1, Number.NaN])("refuses a timeout of %d", (timeout) => {
    expect(() => defineTool({ ...anything, name: "t", input: z.object({}), timeout })).toThrow(
      expect.objectContaining({ code: "invalid_timeout" }),
    );
  });
});

describe("a tool's validate", () => {
  const input = {
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
      mode: { enum: ["fast", "slow"] },
      size: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
      "content-type": { type: "string" },
    },
    required: ["items", "mode"],
  } as const;

  it("names every offending path at once, for plain JSON Schema", () => {
    const tool = defineTool({ ...anything, name: "t", input });
    const validation = tool.validate({ items: [{ name: "a" }, {}, { name: 5 }], size: "x", "content-type": 1 });
    expect(validation).toEqual({
      ok: false,
      issues: [
        { path: "mode", message: "required" },
        { path: "items[1].name", message: "required" },
        { path: "items[2].name", message: "expected string, received number" },
        { path: "size", message: "expected integer or null, received string" },
        { path: '["content-type"]', message: "expected string, received number" },
      ],
    });
    expect(tool.validate({ items: [], mode: "medium" })).toEqual({
      ok: false,
      issues: [{ path: "mode", message: 'expected one of "fast","slow"' }],
    });
  });

  it("names every offending path at once, for zod", async () => {
    const zod = z.object({ items: z.array(z.object({ name: z.string() })), mode: z.enum(["fast", "slow"]) });
    const validation = await defineTool({ ...anything, name: "t", input: zod }).validate({
      items: [{ name: "a" }, {}, { name: 5 }],
    });
    expect(validation).toMatchObject({
      ok: false,
      issues: [{ path: "items[1].name" }, { path: "items[2].name" }, { path: "mode" }],
    });
  });

  it.each([
    ["admits more", { type: "object", properties: { a: { type: "string" } }, additionalProperties: true }],
    ["has a schema for more", { type: "object", properties: {}, additionalProperties: { type: "string" } }],
    ["declares no property", { type: "object" }],
    ["declares it by pattern", { type: "object", properties: {}, patternProperties: { "^[ab]$": { type: "string" } } }],
    [
      "declares it in a part",
      {
        type: "object",
        properties: { a: {} },
        allOf: [{ $ref: "#/$defs/b" }],
        $defs: { b: { properties: { b: {} } } },
      },
    ],
    ["requires it", { type: "object", properties: { a: {} }, required: ["b"] }],
    ["makes another depend on it", { type: "object", properties: { a: {} }, dependentRequired: { a: ["b"] } }],
    ["makes it depend on another", { type: "object", properties: { a: {} }, dependentRequired: { b: ["a"] } }],
    ["has a schema that depends on it", { type: "object", properties: { a: {} }, dependentSchemas: { b: {} } }],
    [
      "makes another depend on it, as in draft-07",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: { a: {} },
        dependencies: { a: ["b"] },
      },
    ],
    [
      "declares it for when there is another, as in draft-07",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: { a: {} },
        dependencies: { a: { properties: { b: { type: "string" } }, required: ["b"] } },
      },
    ],
    [
      "declares it behind an anchor",
      {
        type: "object",
        properties: { a: {} },
        allOf: [{ $ref: "#more" }],
        $defs: { more: { $anchor: "more", properties: { b: { type: "string" } }, required: ["b"] } },
      },
    ],
  ])("keeps a key if the schema %s", (_, schema) => {
    const tool = defineTool({ ...anything, name: "t", input: schema });
    expect(tool.validate({ a: "x", b: "y" })).toEqual({ ok: true, args: { a: "x", b: "y" } });
  });

  it("leaves unknown keys to a zod schema that is strict or loose explicitly", async () => {
    const strict = defineTool({ ...anything, name: "t", input: z.strictObject({ a: z.string() }) });
    const loose = defineTool({ ...anything, name: "t", input: z.looseObject({ a: z.string() }) });
    expect(await strict.validate({ a: "x", b: 1 })).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining("b") }],
    });
    expect(await loose.validate({ a: "x", b: 1 })).toEqual({ ok: true, args: { a: "x", b: 1 } });
  });

  it("returns an issue, and does not throw, when a schema throws while it checks", async () => {
    const throwing = z.object({ a: z.string() }).refine(() => {
      throw new Error("boom");
    });
    const rejecting = withValidation(() => Promise.reject(new Error("boom")));
    for (const input of [throwing, rejecting]) {
      const validation = await defineTool({ ...anything, name: "t", input }).validate({ a: "x" });
      expect(validation).toMatchObject({
        ok: false,
        issues: [{ path: "", message: expect.stringMatching(/could not be checked.*boom/) }],
      });
    }
  });

  it("returns an issue, and does not throw, for an invalid regular expression", () => {
    const schema = { type: "object", properties: { a: { type: "string", pattern: "[" } } };
    expect(defineTool({ ...anything, name: "t", input: schema }).validate({ a: "x" })).toMatchObject({ ok: false });
  });

  it("reports a hundred thousand wrong items", () => {
    const schema = { type: "object", properties: { a: { type: "array", items: { type: "string" } } } };
    const validation = defineTool({ ...anything, name: "t", input: schema }).validate({ a: Array(100_000).fill(1) });
    expect(validation).toMatchObject({ ok: false });
    expect(!validation || "then" in validation || validation.ok ? 0 : validation.issues.length).toBeGreaterThan(0);
  });

  it("changes no prototype with keys such as `__proto__`", async () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":"x"}');
    const inputs = [z.object({ a: z.string() }), z.looseObject({}), type({ a: "string" }), { type: "object" }, input];
    for (const schema of inputs) await defineTool({ ...anything, name: "t", input: schema as never }).validate(hostile);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const strict = defineTool({
      ...anything,
      name: "t",
      input: { type: "object", properties: { a: { type: "string" } } },
    });
    expect(strict.validate(hostile)).toMatchObject({
      ok: false,
      issues: [{ path: "__proto__" }, { path: "constructor" }],
    });
  });

  it.each([
    ["draft-04", "http://json-schema.org/draft-04/schema#", { minimum: 5, exclusiveMinimum: true }],
    ["draft 2020-12", undefined, { exclusiveMinimum: 5 }],
  ])("reads the keywords of %s", (_, $schema, keywords) => {
    const schema = { ...($schema && { $schema }), type: "object", properties: { a: { type: "number", ...keywords } } };
    const tool = defineTool({ ...anything, name: "t", input: schema });
    expect(tool.validate({ a: 5 })).toMatchObject({ ok: false, issues: [{ path: "a" }] });
    expect(tool.validate({ a: 6 })).toEqual({ ok: true, args: { a: 6 } });
  });
});

/** A Standard Schema of a library of its own. */
function withValidation(validate: () => Promise<never>) {
  const jsonSchema = { input: () => ({ type: "object" }), output: () => ({ type: "object" }) };
  return { "~standard": { version: 1, vendor: "test", validate, jsonSchema } } as const;
}

function cyclic(): object {
  const schema: Record<string, unknown> = { type: "object" };
  schema.properties = { self: schema };
  return schema;
}
