import type { JsonSchema, ModelMessage } from "@cogency/protocol";
import { lookup } from "./samples.ts";

/** The first and the second half of a character, each without the other, between two whole ones. */
export const half = "€\ud83d|\udc4d𝄞";

/** Messages with half characters in every text that a log can hold. */
export function hostileMessages(withCalls: boolean): ModelMessage[] {
  const native = { provider: "other", model: "other", data: [{ text: half, [half]: half }] };
  const call = { id: "call_1", name: lookup.name, args: { topic: half, [half]: [half] } };
  const asked: ModelMessage[] = [
    { role: "assistant", content: half, calls: [call], native },
    { role: "tool", results: [{ id: call.id, name: lookup.name, content: half, failed: false }] },
  ];
  return [
    { role: "user", content: half },
    ...(withCalls ? asked : []),
    { role: "assistant", content: half, native },
    { role: "user", content: half },
  ];
}

/** Whether a body holds no lone surrogate, neither as it is nor as an escape, also in JSON inside of its texts. */
export function isWellFormed(body: string): boolean {
  return allTexts(JSON.parse(body)).every((text) => text.isWellFormed() && !hasLoneEscape(text));
}

function allTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...allTexts(inner)]);
}

function hasLoneEscape(text: string): boolean {
  try {
    return allTexts(JSON.parse(text)).some((inner) => !inner.isWellFormed());
  } catch {
    return false;
  }
}

/** Orders of messages that a log can have: of one role in a row, empty, and with either end. */
export function orders(withCalls: boolean): ModelMessage[][] {
  const user = (content: string): ModelMessage => ({ role: "user", content });
  const assistant = (content: string): ModelMessage => ({ role: "assistant", content });
  const calls: ModelMessage[] = [
    { role: "assistant", content: "", calls: [{ id: "call_1", name: lookup.name, args: { topic: "a" } }] },
    { role: "tool", results: [{ id: "call_1", name: lookup.name, content: "found", failed: false }] },
  ];
  const foreign = calls.map((message) =>
    message.role === "assistant"
      ? { ...message, calls: (message.calls ?? []).map((call) => ({ ...call, name: "functions.read file" })) }
      : message,
  );
  return [
    [user("one"), user("two")],
    [user("one"), user("two"), assistant("three"), user("four"), user("five")],
    [user("one"), assistant("two"), assistant("three"), user("four")],
    [user("one"), assistant(""), user("two")],
    [assistant("one"), user("two")],
    [user("one"), assistant("two")],
    [assistant("one")],
    ...(withCalls
      ? [
          [user("one"), ...calls],
          [user("one"), ...calls, user("two")],
          [user("one"), ...calls, user("two"), user("three"), assistant("four"), user("five")],
          [user("one"), assistant("two"), ...calls, assistant("three"), user("four")],
          [user("one"), ...foreign, assistant("two"), user("three")],
        ]
      : []),
  ];
}

const address: JsonSchema = {
  type: "object",
  properties: { street: { type: "string", minLength: 1 }, zip: { type: "string", pattern: "^\\d{5}$" } },
  required: ["street"],
};

/** Schemas of all kinds, as libraries write them. */
export const schemas = {
  object: address,
  closed: { ...address, additionalProperties: false },
  open: { ...address, additionalProperties: {} },
  bare: { type: "object" },
  list: { type: "array", items: address, minItems: 2, uniqueItems: true },
  enum: { enum: ["a", 1, null, true] },
  constant: { const: "a" },
  text: { type: "string", format: "uri", maxLength: 9, default: "x" },
  number: { type: "integer", exclusiveMinimum: 0, maximum: 10, multipleOf: 2 },
  old: { type: "number", minimum: 0, exclusiveMinimum: true, nullable: true },
  types: { type: ["string", "null", "object"], description: "Several." },
  map: { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "number" } },
  patterns: { type: "object", patternProperties: { "^x": { type: "string" } } },
  tuple: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
  places: { type: "array", items: [{ type: "string" }, address], additionalItems: false },
  choice: {
    oneOf: [address, { type: "object", properties: { at: { type: "integer" } }, additionalProperties: false }],
  },
  either: {
    type: "object",
    properties: { a: {}, b: { type: "null" } },
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  },
  joined: { allOf: [address, { type: "object", properties: { city: { type: "string" } }, required: ["city"] }] },
  clash: { allOf: [{ type: "string" }, { type: "number" }] },
  excluded: {
    type: "object",
    properties: { a: { not: { const: 1 } } },
    if: { required: ["a"] },
    else: { minProperties: 1 },
  },
  referred: {
    $ref: "#/$defs/address",
    $defs: { address: { ...address, description: "Where." } },
  },
  described: {
    type: "object",
    properties: { home: { $ref: "#/definitions/place", description: "Where it lives.", default: null } },
    definitions: { place: address },
  },
  tree: {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    required: ["name", "children"],
  },
  lost: { type: "object", properties: { a: { $ref: "https://example.com/schema.json" }, b: { $ref: "#/$defs/none" } } },
  anything: { type: "object", properties: { a: {}, b: true, c: { description: "What you like." }, d: false } },
  deep: Array.from({ length: 12 }).reduce<JsonSchema>((inner) => ({ type: "object", properties: { inner } }), {
    type: "string",
  }),
  wide: {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`key_${index}`, { type: ["string", "null"] }]),
    ),
  },
} as const satisfies Record<string, JsonSchema>;
