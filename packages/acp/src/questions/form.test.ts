import type { JsonSchema } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validatorOf } from "../../test/support/schema-judge.ts";
import { choicesOf, formOf } from "./form.ts";

const isForm = validatorOf("ElicitationSchema");

describe("formOf", () => {
  it("asks for a text where there is no schema", () => {
    const form = formOf(undefined);
    expect(form).toMatchObject({ properties: { answer: { type: "string" } }, required: ["answer"] });
    expect(form?.answerOf({ answer: "blue" })).toBe("blue");
  });

  it("asks for one plain value under a name of its own", () => {
    const form = formOf({ type: "integer", minimum: 1, maximum: 5, description: "How many?" });
    expect(form?.properties).toEqual({ answer: { type: "integer", minimum: 1, maximum: 5, description: "How many?" } });
    expect(form?.answerOf({ answer: 3 })).toBe(3);
  });

  it("keeps the fields of an object, and which are required", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        name: { type: "string", maxLength: 10 },
        colour: { enum: ["red", "green"] },
        loud: { type: "boolean" },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, maxItems: 2 },
      },
      required: ["name"],
    };
    const form = formOf(schema);
    expect(form?.required).toEqual(["name"]);
    expect(form?.properties).toEqual({
      name: { type: "string", maxLength: 10 },
      colour: { type: "string", enum: ["red", "green"] },
      loud: { type: "boolean" },
      tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, maxItems: 2 },
    });
    expect(form?.answerOf({ name: "x" })).toEqual({ name: "x" });
  });

  it.each<[string, JsonSchema]>([
    ["an object in an object", { type: "object", properties: { a: { type: "object" } } }],
    ["a list of anything", { type: "array", items: { type: "string" } }],
    ["a choice among numbers", { enum: [1, 2] }],
    ["one of several schemas", { oneOf: [{ type: "string" }, { type: "number" }] }],
    ["anything", {}],
  ])("has no form for %s", (_, schema) => {
    expect(formOf(schema)).toBeUndefined();
  });
});

it("whatever a tool asks for, there is a form that the protocol admits, or none", () => {
  const plain = fc.constantFrom("type", "enum", "items", "title", "minLength", "maximum", "required", "properties");
  const types = fc.constantFrom("string", "number", "integer", "boolean", "array", "object", "null");
  const value = fc.oneof(types, fc.jsonValue({ maxDepth: 2 }), fc.record({ type: types, enum: fc.array(fc.string()) }));
  const schema = fc.oneof(
    fc.dictionary(plain, value),
    fc.record({ type: fc.constant("object"), properties: fc.dictionary(fc.string(), fc.dictionary(plain, value)) }),
  );
  fc.assert(
    fc.property(schema, (given) => {
      const form = formOf(given as JsonSchema);
      choicesOf(given as JsonSchema);
      if (form) {
        const { properties, required } = form;
        expect(isForm({ type: "object", properties, required }), JSON.stringify(isForm.errors)).toBe(true);
      }
    }),
    { examples: [[{ type: "object", properties: null }], [{ type: "object", properties: { ["__proto__"]: {} } }]] },
  );
});

describe("choicesOf", () => {
  it("offers the answers of the only field", () => {
    const schema: JsonSchema = { type: "object", properties: { colour: { enum: ["red", "green"] } } };
    expect(choicesOf(schema)).toMatchObject({
      options: [{ name: "red" }, { name: "green" }],
      answers: [{ colour: "red" }, { colour: "green" }],
    });
    expect(choicesOf({ type: "boolean" })).toMatchObject({
      options: [{ name: "Yes" }, { name: "No" }],
      answers: [true, false],
    });
  });

  it.each<[string, JsonSchema | undefined]>([
    ["a text", undefined],
    ["two fields", { type: "object", properties: { a: { enum: ["x"] }, b: { enum: ["y"] } } }],
    ["too many", { enum: Array.from({ length: 21 }, (_, at) => `${at}`) }],
    ["several at once", { type: "array", items: { type: "string", enum: ["a"] } }],
  ])("has no choices for %s", (_, schema) => {
    expect(choicesOf(schema)).toBeUndefined();
  });
});
