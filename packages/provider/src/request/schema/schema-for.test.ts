import type { JsonSchema } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { schemas } from "../../testkit/hostile-requests.ts";
import type { SchemaRules } from "./rules.ts";
import { parametersFor, schemaFor } from "./schema-for.ts";

const text = { type: "string" };
const nothing = { type: "null" };
const rules: SchemaRules = {
  takes: (keyword) => keyword === "minimum" || keyword === "maxItems",
  requiresAllKeys: true,
  takesMaps: false,
  takesTuples: false,
  recursion: "everywhere",
  limits: {},
};

function object(properties: Record<string, JsonSchema>, required: string[] = Object.keys(properties)): JsonSchema {
  return { type: "object", properties, required };
}

function closed(properties: Record<string, JsonSchema>, required?: string[]): JsonSchema {
  return { ...object(properties, required), additionalProperties: false };
}

/** A key with this schema, as it is sent. */
function sent(schema: JsonSchema, more: Partial<SchemaRules> = {}): unknown {
  const { schema: whole, isStrict } = schemaFor(object({ a: schema }), { ...rules, ...more });
  return isStrict ? Object(whole.properties).a : "not strict";
}

describe("schemaFor", () => {
  it("closes objects, and demands all keys", () => {
    const { schema, isStrict } = schemaFor(object({ a: text, b: object({ c: text }, []) }, ["a"]), rules);
    const inner = closed({ c: { anyOf: [text, nothing] } });
    expect(schema).toEqual(closed({ a: text, b: { anyOf: [inner, nothing] } }));
    expect(isStrict).toBe(true);
  });

  it("leaves keys optional for a server that takes that", () => {
    const { schema } = schemaFor(object({ a: text, b: text }, ["a"]), { ...rules, requiresAllKeys: false });
    expect(schema).toEqual(closed({ a: text, b: text }, ["a"]));
  });

  it.each<[string, JsonSchema, unknown, Partial<SchemaRules>?]>([
    ["keeps a text", text, text],
    ["keeps what the server takes", { type: "number", minimum: 1 }, { type: "number", minimum: 1 }],
    [
      "says the rest",
      { type: "number", maximum: 9, description: "A." },
      { type: "number", description: "A. maximum: 9." },
    ],
    ["says a default", { ...text, default: "x" }, { ...text, description: 'default: "x".' }],
    [
      "reads older drafts",
      { type: "number", minimum: 0, exclusiveMinimum: true },
      { type: "number", description: "exclusiveMinimum: 0." },
    ],
    [
      "does not say the pattern of a format",
      { ...text, format: "date", pattern: "^.*$" },
      { ...text, description: 'format: "date".' },
    ],
    ["leaves out what says nothing", { ...text, $comment: "x", examples: ["y"], $id: "z" }, text],
    [
      "makes a choice of types",
      { type: ["string", "null"], maxLength: 3 },
      { anyOf: [{ ...text, description: "maxLength: 3." }, nothing] },
    ],
    ["makes a choice of `nullable`", { ...text, nullable: true }, { anyOf: [text, nothing] }],
    ["makes a choice of `oneOf`", { oneOf: [text, { anyOf: [nothing, text] }] }, { anyOf: [text, nothing] }],
    ["makes a type of constants", { const: "x" }, { ...text, const: "x" }],
    [
      "makes types of values",
      { enum: ["x", 1, null] },
      { anyOf: [{ ...text, enum: ["x"] }, { type: "number", enum: [1] }, nothing] },
    ],
    ["infers types", { minLength: 1 }, { ...text, description: "minLength: 1." }],
    ["joins `allOf`", { allOf: [object({ b: text }), object({ c: text })] }, closed({ b: text, c: text })],
    [
      "closes a map of known keys",
      { type: "object", propertyNames: { enum: ["b"] }, additionalProperties: text, required: ["b"] },
      closed({ b: text }),
    ],
    [
      "says the places of a tuple",
      { type: "array", prefixItems: [text, nothing], items: false },
      {
        type: "array",
        description: 'The items are, in this order: {"type":"string"}, {"type":"null"}.',
        maxItems: 2,
        items: { anyOf: [text, nothing] },
      },
    ],
    [
      "keeps a tuple where the server takes it",
      { type: "array", items: [text] },
      { type: "array", prefixItems: [text], items: false },
      { takesTuples: true },
    ],
    [
      "leaves out a key that nothing fits",
      { type: "object", properties: { b: false, c: text }, required: ["c"] },
      closed({ c: text }),
    ],
    [
      "says demands on a whole object",
      { ...object({ b: text }), anyOf: [{ required: ["b"] }] },
      { ...closed({ b: text }), description: 'anyOf: [{"required":["b"]}].' },
    ],
    ["is not strict for maps", { type: "object", additionalProperties: text }, "not strict"],
    [
      "is strict for maps where the server takes them",
      { type: "object", additionalProperties: text },
      { type: "object", properties: {}, required: [], additionalProperties: text },
      { takesMaps: true },
    ],
    [
      "is not strict for objects that say that they are open",
      { ...object({ b: text }), additionalProperties: true },
      "not strict",
    ],
    ["is not strict for objects without keys", { type: "object" }, "not strict"],
    ["is not strict for patterns of keys", { ...object({ b: text }), patternProperties: { x: text } }, "not strict"],
    ["is not strict for anything", {}, "not strict"],
    ["is not strict for what has no form", { allOf: [text, nothing] }, "not strict"],
    ["is not strict for objects as values", { enum: [{}] }, "not strict"],
    ["is not strict for references that lead nowhere", { $ref: "#/$defs/none" }, "not strict"],
    ["is not strict for references to elsewhere", { $ref: "https://example.com" }, "not strict"],
  ])("%s", (_, schema, expected, more) => {
    expect(sent(schema, more)).toEqual(expected);
  });

  it("puts what has no object at its root into one, in a key that it does not have", () => {
    expect(schemaFor({ type: "array", items: text }, rules).schema).toEqual(
      closed({ answer: { type: "array", items: text } }),
    );
    const choice = { anyOf: [object({ answer: text }), text] };
    expect(Object.keys(Object(schemaFor(choice, rules).schema.properties))).toEqual(["answer_"]);
  });

  it("keeps references, without words beside them, and a root that refers is its target", () => {
    const place = object({ street: text });
    const given = {
      ...object({ home: { $ref: "#/definitions/a~1b", description: "Where." } }),
      definitions: { "a/b": place },
    };
    const home = { description: "Where.", anyOf: [{ $ref: "#/$defs/a1b" }] };
    expect(schemaFor(given, rules).schema).toEqual({ ...closed({ home }), $defs: { a1b: closed({ street: text }) } });
    expect(schemaFor({ $ref: "#/$defs/p", $defs: { p: place } }, rules).schema).toEqual(closed({ street: text }));
  });

  const tree = object({ name: text, children: { type: "array", items: { $ref: "#" } } });
  const chain = object({ name: text, next: { $ref: "#" } }, ["name"]);

  it.each<[SchemaRules["recursion"], boolean, boolean]>([
    ["everywhere", true, true],
    ["optional", false, true],
    ["nowhere", false, false],
  ])("lets a schema refer to itself %s", (recursion, isTree, isChain) => {
    const strict = (schema: JsonSchema) => schemaFor(schema, { ...rules, recursion }).isStrict;
    expect([strict(tree), strict(chain)]).toEqual([isTree, isChain]);
    expect(schemaFor(tree, rules).schema.$defs).toHaveProperty("root.properties.children.items.$ref", "#/$defs/root");
  });

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, text]));
  const nested = (depth: number): JsonSchema => (depth === 1 ? object({}) : object({ a: nested(depth - 1) }));

  it.each<[keyof SchemaRules["limits"], number, (count: number) => JsonSchema]>([
    ["keys", 5, (count) => object(many(count))],
    ["depth", 4, nested],
    ["enumValues", 3, (count) => object({ a: { enum: Array.from({ length: count }, String) } })],
    [
      "enumText",
      750,
      (count) =>
        object({
          a: { enum: Array.from({ length: 251 }, (_, index) => String(index).padStart(count === 750 ? 0 : 3, "0")) },
        }),
    ],
    ["text", 9, (count) => object({ ["k".repeat(count)]: text })],
    ["optionalKeys", 2, (count) => object(many(count), [])],
    [
      "unions",
      1,
      (count) => object(Object.fromEntries(Object.keys(many(count)).map((key) => [key, { type: ["string", "null"] }]))),
    ],
  ])("is strict up to the limit of %s", (name, most, make) => {
    const limited = { ...rules, requiresAllKeys: false, limits: { [name]: most } };
    expect(schemaFor(make(most), limited).isStrict).toBe(true);
    expect(schemaFor(make(most + 1), limited).isStrict).toBe(false);
  });

  it.each(Object.entries<JsonSchema>(schemas))(
    "has an object at the root for the schema %s, strict or not",
    (_, schema) => {
      for (const isStrict of [true, false]) {
        const limits = isStrict ? {} : { keys: -1 };
        expect(schemaFor(schema, { ...rules, limits }).schema).toMatchObject({ type: "object", properties: {} });
      }
      expect(parametersFor(schema, rules)).toMatchObject({ type: "object", properties: {} });
    },
  );
});

describe("parametersFor", () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    ["keeps an object", object({ a: text, b: text }, ["a"]), object({ a: text, b: text }, ["a"])],
    ["adds `properties`", { type: "object" }, { type: "object", properties: {} }],
    ["adds all", {}, { type: "object", properties: {} }],
    ["adds `items`", object({ a: { type: "array" } }), object({ a: { type: "array", items: {} } })],
    [
      "keeps objects open",
      { ...object({ a: text }), additionalProperties: {} },
      { ...object({ a: text }), additionalProperties: true },
    ],
    [
      "joins alternatives",
      { oneOf: [object({ by: { const: "id" }, id: text }), object({ by: { const: "name" }, name: text }, ["by"])] },
      object(
        {
          by: {
            anyOf: [
              { ...text, const: "id" },
              { ...text, const: "name" },
            ],
          },
          id: text,
          name: text,
        },
        ["by"],
      ),
    ],
    [
      "leaves out demands on the whole",
      { ...object({ a: text }, []), anyOf: [{ required: ["a"] }] },
      { type: "object", properties: { a: text } },
    ],
    ["follows a reference", { $ref: "#/$defs/p", $defs: { p: object({ a: text }) } }, object({ a: text })],
    [
      "lets anything be described",
      object({ a: { description: "What you like." } }),
      object({
        a: {
          description: "What you like.",
          anyOf: [
            ...["string", "number", "boolean", "null"].map((type) => ({ type })),
            { type: "array", items: {} },
            { type: "object", properties: {}, additionalProperties: true },
          ],
        },
      }),
    ],
  ])("%s", (_, given, expected) => {
    expect(parametersFor(given, { ...rules, takes: () => true })).toEqual(expected);
  });
});
