import { describe, expect, it } from "vitest";
import { formSchema } from "./form-schema.ts";

const form = (properties: object, required?: unknown) => formSchema({ type: "object", properties, required });
const fieldOf = (field: object) => {
  const read = form({ x: field });
  return "schema" in read ? read.schema.properties.x : read.problem;
};

describe("formSchema", () => {
  it.each([
    ["a text", { type: "string", minLength: 1, maxLength: 9 }, { type: "string", minLength: 1, maxLength: 9 }],
    ["a text of a format", { type: "string", format: "email" }, { type: "string", format: "email" }],
    ["a text with a default", { type: "string", default: "ada" }, { type: "string", default: "ada" }],
    [
      "a number",
      { type: "number", minimum: 0, maximum: 1, default: 0.5 },
      { type: "number", minimum: 0, maximum: 1, default: 0.5 },
    ],
    ["a whole number", { type: "integer", default: 3 }, { type: "integer", default: 3 }],
    ["a flag", { type: "boolean", default: true }, { type: "boolean", default: true }],
    [
      "what a field is for",
      { type: "string", title: "Name", description: "Of you" },
      { type: "string", description: "Name. Of you" },
    ],
    ["choices", { type: "string", enum: ["a", "b"], default: "b" }, { type: "string", enum: ["a", "b"], default: "b" }],
    [
      "choices with titles",
      {
        type: "string",
        oneOf: [
          { const: "#f00", title: "Red" },
          { const: "#0f0", title: "Green" },
        ],
      },
      { type: "string", enum: ["#f00", "#0f0"], description: "#f00 is Red, #0f0 is Green" },
    ],
    [
      "choices with titles in the old form",
      { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
      { type: "string", enum: ["r", "g"], description: "r is Red, g is Green" },
    ],
    [
      "several choices",
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2, default: ["a"] },
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2, default: ["a"] },
    ],
    [
      "several choices with titles",
      { type: "array", items: { anyOf: [{ const: "a", title: "An A" }] } },
      { type: "array", items: { type: "string", enum: ["a"] }, description: "a is An A" },
    ],
    [
      "no pattern, no reference and no other keyword",
      { type: "string", pattern: "^(a+)+$", $ref: "#", format: "regex", $comment: "x" },
      { type: "string" },
    ],
  ])("takes %s", (_, given, taken) => {
    expect(fieldOf(given)).toEqual(taken);
  });

  it.each([
    ["text", { type: "string", default: 3 }],
    ["choice", { type: "string", enum: ["a"], default: "b" }],
    ["list of choices", { type: "array", items: { type: "string", enum: ["a"] }, default: ["a", "b"] }],
    ["whole number", { type: "integer", default: 1.5 }],
    ["flag", { type: "boolean", default: "yes" }],
  ])("leaves out a default that is no %s", (_, given) => {
    expect(fieldOf(given)).not.toHaveProperty("default");
  });

  it.each([
    ["an object in an object", { type: "object", properties: {} }],
    ["a list of objects", { type: "array", items: { type: "object" } }],
    ["a list of texts", { type: "array", items: { type: "string" } }],
    ["no type", {}],
    ["a list of types", { type: ["string", "null"] }],
    ["too many choices", { type: "string", enum: Array.from({ length: 201 }, (_, at) => `${at}`) }],
    ["choices that show nothing", { type: "string", enum: ["a", "a\u200b"] }],
    ["choices that are no texts", { type: "string", enum: [1, 2] }],
  ])("refuses %s", (_, given) => {
    expect(fieldOf(given)).toBe("the field x is of no kind that a form may have");
  });

  it.each([
    ["nothing", undefined, "its schema is no object with properties"],
    ["a list", [], "its schema is no object with properties"],
    ["another type", { type: "string" }, "its schema is no object with properties"],
    [
      "thousands of fields",
      { type: "object", properties: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, {}])) },
      "it has 5000 fields, and at most 40 are asked",
    ],
    [
      "more than a person reads",
      {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 40 }, (_, at) => [
            `f${at}`,
            { type: "string", title: "t".repeat(500), description: "d".repeat(500) },
          ]),
        ),
      },
      "its schema is too long for a person to read",
    ],
    [
      "a name with hidden letters",
      { type: "object", properties: { "na\u202eme": { type: "string" } } },
      'the name of a field is "name"',
    ],
    [
      "a name of a prototype",
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      'the name of a field is "__proto__"',
    ],
  ])("refuses %s", (_, given, problem) => {
    expect(formSchema(given)).toEqual({ problem });
  });

  it("takes names of several words", () => {
    expect(form({ "First name": { type: "string" } })).toHaveProperty("schema");
  });

  it("takes only names of fields as required, and no other fields in an answer", () => {
    expect(form({ a: { type: "string" }, b: { type: "string" } }, ["a", "z", 3])).toMatchObject({
      schema: { required: ["a"], additionalProperties: false },
    });
  });
});
