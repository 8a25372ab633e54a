import type { JsonObject } from "@cogency/protocol";
import type { Random } from "../../../../packages/protocol/test/generate/random.ts";

/** A JSON Schema for the arguments of a tool, of keywords that a grammar binds. */
export function generatedSchema(random: Random): JsonObject {
  return { ...objectSchema(random, 0), $defs: { tree: treeSchema } };
}

/** A schema that refers to itself. */
const treeSchema: JsonObject = {
  type: "object",
  properties: {
    label: { type: "string", maxLength: 8 },
    children: { type: "array", items: { $ref: "#/$defs/tree" }, maxItems: 2 },
  },
  required: ["label"],
  additionalProperties: false,
};

const names = [
  "a",
  "path",
  "with space",
  'quote"d',
  "back\\slash",
  "é漢",
  "<end>",
  "x-y",
  "from",
  "name",
  "args",
  "🚀",
];

function objectSchema(random: Random, depth: number): JsonObject {
  const properties: JsonObject = {};
  for (const name of random.shuffled(names).slice(0, random.below(5)))
    properties[name] = valueSchema(random, depth + 1);
  const required = Object.keys(properties).filter(() => random.chance(0.5));
  const isClosed = random.chance(0.5);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  };
}

function valueSchema(random: Random, depth: number): JsonObject {
  const leaves = [
    stringSchema,
    integerSchema,
    numberSchema,
    () => ({ type: "boolean" }),
    () => ({ type: "null" }),
    listedSchema,
  ];
  const nested = [
    objectSchema,
    arraySchema,
    tupleSchema,
    choiceSchema,
    joinedSchema,
    nullableSchema,
    () => treeSchema,
    typesSchema,
  ];
  return random.pick(depth < 3 ? [...leaves, ...nested] : leaves)(random, depth);
}

function stringSchema(random: Random): JsonObject {
  const min = random.below(4);
  return random.pick<JsonObject>([
    { type: "string" },
    { type: "string", minLength: min },
    { type: "string", minLength: min, maxLength: min + random.below(20) },
    { type: "string", maxLength: 100_000 },
    {
      type: "string",
      format: random.pick([
        "date",
        "date-time",
        "time",
        "uuid",
        "email",
        "uri",
        "ipv4",
        "ipv6",
        "hostname",
        "duration",
      ]),
    },
    { type: "string", pattern: random.pick(patterns) },
  ]);
}

const patterns = [
  "^[a-z]+$",
  "^[A-Z]{2,4}-\\d+$",
  "foo|bar",
  '^["\\\\/]+$',
  "^(?:yes|no)(?: \\w+)?$",
  '^[^<>"]{1,5}$',
  "\\d{3}",
  "^\\s*[\\u00e9é漢]\\S$",
  "^.{2}$",
  "^v(\\d+\\.){2}\\d+$",
];

function integerSchema(random: Random): JsonObject {
  const min = random.below(3000) - 1500;
  const max = min + random.below(random.pick([3, 40, 5000]));
  return random.pick<JsonObject>([
    { type: "integer" },
    { type: "integer", minimum: min },
    { type: "integer", maximum: max },
    { type: "integer", minimum: min, maximum: max },
    { type: "integer", exclusiveMinimum: min, exclusiveMaximum: max + 2 },
    { type: "integer", minimum: 0, maximum: 100, multipleOf: random.pick([1, 5, 7]) },
  ]);
}

function numberSchema(random: Random): JsonObject {
  const min = random.below(200) - 100 + random.pick([0, 0.5]);
  const max = min + random.pick([0.25, 1, 7.5, 300]);
  return random.pick<JsonObject>([
    { type: "number" },
    { type: "number", minimum: min },
    { type: "number", exclusiveMinimum: 0 },
    { type: "number", maximum: max },
    { type: "number", minimum: min, maximum: max },
    { type: "number", exclusiveMinimum: min, maximum: max },
  ]);
}

function listedSchema(random: Random): JsonObject {
  const values = ["one", 2, null, true, 'a "quote"', "</execute>", { deep: [1] }, -0.5, "<end>"];
  if (random.chance(0.4)) return { const: random.pick(values) };
  return { enum: random.shuffled(values).slice(0, 1 + random.below(4)) };
}

function arraySchema(random: Random, depth: number): JsonObject {
  const min = random.below(3);
  const items = valueSchema(random, depth + 1);
  const bounds = random.pick([
    {},
    { minItems: min },
    { minItems: min, maxItems: min + random.below(4) },
    { maxItems: 1000 },
  ]);
  return { type: "array", items, ...bounds };
}

function tupleSchema(random: Random, depth: number): JsonObject {
  const prefixItems = Array.from({ length: 1 + random.below(3) }, () => valueSchema(random, depth + 1));
  const items = random.pick([false, { type: "integer" }]);
  return { type: "array", prefixItems, items, minItems: random.below(prefixItems.length + 1) };
}

/** Alternatives of which no value fits two. */
function choiceSchema(random: Random, depth: number): JsonObject {
  const kinds = ["circle", "square", "line"].map((kind) => ({
    type: "object",
    properties: { kind: { const: kind }, size: integerSchema(random) },
    required: ["kind"],
  }));
  const types = [stringSchema(random), integerSchema(random), { type: "boolean" }, arraySchema(random, depth + 1)];
  return { [random.pick(["anyOf", "oneOf"])]: random.chance(0.5) ? kinds : random.shuffled(types).slice(0, 2) };
}

function joinedSchema(random: Random): JsonObject {
  const base = { type: "object", properties: { id: integerSchema(random) }, required: ["id"] };
  return {
    allOf: [
      base,
      { properties: { note: stringSchema(random) } },
      ...(random.chance(0.5) ? [{ required: ["note"] }] : []),
    ],
  };
}

function nullableSchema(random: Random): JsonObject {
  return random.chance(0.5)
    ? { anyOf: [stringSchema(random), { type: "null" }] }
    : { type: ["integer", "null"], minimum: 0 };
}

function typesSchema(random: Random): JsonObject {
  return { type: random.shuffled(["string", "number", "boolean", "null"]).slice(0, 2) };
}
