import type { JsonSchema } from "@cogency/protocol";

/** The keywords that narrow a value, by the type that they are about. `enum` and `const` are about all. */
const narrowing = {
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems"],
  object: [
    ...["minProperties", "maxProperties", "propertyNames", "patternProperties"],
    ...["dependentRequired", "dependentSchemas", "unevaluatedProperties"],
  ],
} as const;

/** Keywords that are about values of every type. */
const general = ["default", "not", "if", "then", "else"];

/** The keywords beside the structure that count for a value of this type; all of them if there is none. */
export function narrowingOf(type?: string): readonly string[] {
  const own = type === "integer" ? "number" : type;
  if (own === undefined) return [...Object.values(narrowing).flat(), ...general];
  return [...(Object.hasOwn(narrowing, own) ? narrowing[own as keyof typeof narrowing] : []), ...general];
}

/** The types that a schema names, else the one that its keywords are about. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (type !== undefined) return [type].flat().filter((one): one is string => typeof one === "string");
  const has = (keywords: readonly string[]) => keywords.some((keyword) => schema[keyword] !== undefined);
  if (has(["properties", "required", "additionalProperties", ...narrowing.object])) return ["object"];
  if (has(["items", "prefixItems", ...narrowing.array])) return ["array"];
  if (has(narrowing.string)) return ["string"];
  return has(narrowing.number) ? ["number"] : [];
}

/** A schema in the words of the current draft: older ones say by `true` that a limit does not belong to the range. */
export function current(schema: JsonSchema): JsonSchema {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...limit(["minimum", minimum], ["exclusiveMinimum", exclusiveMinimum]),
    ...limit(["maximum", maximum], ["exclusiveMaximum", exclusiveMaximum]),
  };
}

function limit([inside, value]: [string, unknown], [outside, excluded]: [string, unknown]): JsonSchema {
  if (excluded === true) return value === undefined ? {} : { [outside]: value };
  return {
    ...(value === undefined ? {} : { [inside]: value }),
    ...(typeof excluded === "number" ? { [outside]: excluded } : {}),
  };
}

const longestSaid = 300;

/** A keyword in words, such as `minLength: 3.` Empty if its value is long. */
export function say(keyword: string, value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > longestSaid ? "" : `${keyword}: ${text}.`;
}

/** The description with more sentences; undefined if there is nothing to say. */
export function sentences(description: unknown, ...said: readonly string[]): string | undefined {
  const all = [typeof description === "string" ? description : "", ...said].filter((text) => text !== "");
  return all.length === 0 ? undefined : all.join(" ");
}
