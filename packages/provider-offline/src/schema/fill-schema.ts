import { fitPattern, isMatch } from "./fit-pattern.ts";

/** A JSON Schema, or any part of one. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * A value that fits a JSON Schema, as a form that somebody filled in: what the model has to say stands in the first text that may hold
 * it, and everything else is the least that the schema allows. Keywords that a value cannot be read off, such as `not`, are not
 * heeded.
 */
export function fillSchema(schema: unknown, text: string): unknown {
  return new Filling(schema, text).value(schema, 0);
}

class Filling {
  readonly #root: unknown;
  /** What the model has to say; empty once it is said. */
  #text: string;

  constructor(root: unknown, text: string) {
    this.#root = root;
    this.#text = text;
  }

  /** @param variant 0 for the first value; another number for another value, where the schema has one */
  value(given: unknown, depth: number, variant = 0): unknown {
    const schema = this.#resolved(given);
    if (schema.const !== undefined) return schema.const;
    const choices = ofList(schema.enum);
    if (choices.length > 0) return choices[variant % choices.length];
    if (schema.default !== undefined && variant === 0) return schema.default;
    if (schema.enum !== undefined) return null;
    switch (this.#typeOf(schema)) {
      case "object":
        return this.#object(schema, depth, variant);
      case "array":
        return this.#array(schema, depth, variant);
      case "string":
        return this.#string(schema, variant);
      case "number":
      case "integer":
        return another(number(schema), schema, variant);
      case "boolean":
        return variant % 2 === 0;
      default:
        return null;
    }
  }

  /** A schema without references and choices: what all parts of it say. Of several choices the first that is not null is taken. */
  #resolved(given: unknown, references = 0): Schema {
    if (typeof given !== "object" || given === null) return {};
    const { $ref, allOf, anyOf, oneOf, ...rest } = given as Schema;
    let schema: Schema = rest;
    const parts = [...ofList(allOf)];
    if (typeof $ref === "string" && references < mostReferences) parts.push(this.#at($ref));
    const choices = [...ofList(anyOf), ...ofList(oneOf)];
    const chosen = choices.find((choice) => this.#resolved(choice, references + 1).type !== "null") ?? choices[0];
    if (chosen !== undefined) parts.push(chosen);
    for (const part of parts) schema = joined(schema, this.#resolved(part, references + 1));
    return schema;
  }

  #at(reference: string): unknown {
    let place: unknown = this.#root;
    for (const key of reference.replace(/^#\/?/, "").split("/")) {
      if (key === "") continue;
      const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
      place = typeof place === "object" && place !== null && Object.hasOwn(place, name) ? Reflect.get(place, name) : {};
    }
    return place;
  }

  #typeOf(schema: Schema): unknown {
    const types = [schema.type].flat();
    if (types[0] !== undefined) return types.find((one) => one !== "null") ?? "null";
    const has = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined);
    if (has("properties", "required", "additionalProperties", "minProperties")) return "object";
    return has("items", "prefixItems", "contains", "minItems") ? "array" : "string";
  }

  /** All properties; below the deepest level only those that must be there, so that a schema that holds itself has an end. */
  #object(schema: Schema, depth: number, variant: number): object {
    const { required, additionalProperties: others, minProperties } = schema;
    const needed = ofList(required);
    const properties = { ...(schema.properties as Readonly<Record<string, unknown>> | undefined) };
    for (const name of needed)
      if (typeof name === "string" && !Object.hasOwn(properties, name)) properties[name] = others;
    const names = Object.keys(properties).filter((name) => depth < deepest || needed.includes(name));
    const least = Math.min(numberOr(minProperties, 0), mostItems);
    for (let count = 1; names.length < least && others !== false; count++) {
      if (Object.hasOwn(properties, `entry${count}`)) continue;
      properties[`entry${count}`] = others;
      names.push(`entry${count}`);
    }
    return Object.fromEntries(
      names.map((name) => [name, depth < mostLevels ? this.value(properties[name], depth + 1, variant) : null]),
    );
  }

  #array(schema: Schema, depth: number, variant: number): unknown[] {
    const { items, prefixItems, minItems, maxItems, uniqueItems, contains, minContains } = schema;
    if (depth >= mostLevels) return [];
    const first = ofList(prefixItems).map((part) => this.value(part, depth + 1, variant));
    const held = contains === undefined ? 0 : Math.min(numberOr(minContains, 1), mostItems);
    const parts = Array.from({ length: held }, (): unknown => contains);
    const least = Math.min(numberOr(minItems, depth < deepest ? 1 : 0), numberOr(maxItems, mostItems), mostItems);
    const count = items === false ? 0 : least - first.length - held;
    parts.push(...Array.from({ length: Math.max(0, count) }, () => items));
    const isUnique = uniqueItems === true;
    return [...first, ...parts.map((part, at) => this.value(part, depth + 1, isUnique ? variant + at : variant))];
  }

  #string({ format, minLength, maxLength, pattern }: Schema, variant: number): string {
    const known = typeof format === "string" ? formats[format] : undefined;
    if (known !== undefined) return known;
    const most = numberOr(maxLength, Number.POSITIVE_INFINITY);
    const least = Math.min(numberOr(minLength, 0), mostCharacters);
    if (typeof pattern === "string" && !isMatch(pattern, this.#text)) return fitPattern(pattern, least, most);
    const said = variant === 0 || this.#text !== "" ? this.#text : String(variant);
    this.#text = "";
    return [...said].slice(0, most).join("").padEnd(least, ".");
  }
}

/** The least number in the range, 0 if it is in there. */
function number({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema): number {
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : type === "integer" ? 1 : undefined;
  const least = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity));
  const most = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity));
  const isAbove = (value: number) => value >= least && value !== exclusiveMinimum;
  const isBelow = (value: number) => value <= most && value !== exclusiveMaximum;
  if (isAbove(0) && isBelow(0)) return 0;
  if (step !== undefined) {
    const value = isAbove(0) ? Math.floor(most / step) * step : Math.ceil(least / step) * step;
    return isAbove(value) && isBelow(value) ? value : value + (isAbove(value) ? -step : step);
  }
  if (isBelow(0))
    return isBelow(least + 1) && !isAbove(least) ? least + 1 : isAbove(least) ? least : (least + most) / 2;
  return isBelow(most) ? most : isAbove(most - 1) ? most - 1 : (least + most) / 2;
}

/** A number that is as many steps away, if it is in the range. */
function another(value: number, schema: Schema, variant: number): number {
  if (variant === 0) return value;
  const step = numberOr(schema.multipleOf, 1);
  const found = [value + variant * step, value - variant * step].find((one) => isWithin(one, schema));
  return found ?? value;
}

function isWithin(value: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): boolean {
  return (
    value >= numberOr(minimum, -Infinity) &&
    value <= numberOr(maximum, Infinity) &&
    value > numberOr(exclusiveMinimum, -Infinity) &&
    value < numberOr(exclusiveMaximum, Infinity)
  );
}

/** What two schemas say together: later words win, the properties and what must be there add up. */
function joined(a: Schema, b: Schema): Schema {
  const properties = { ...(a.properties as object), ...(b.properties as object) };
  const required = [...ofList(a.required), ...ofList(b.required)];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function ofList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}

const formats: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  time: "12:00:00Z",
  "date-time": "2026-01-31T12:00:00Z",
  duration: "P1D",
  email: "ada@example.org",
  hostname: "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.org/",
  url: "https://example.org/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** The levels to which things are filled in that may be left out. */
const deepest = 4;

/** The levels of a schema that demands itself without end. */
const mostLevels = 32;
const mostReferences = 8;
const mostItems = 1000;
const mostCharacters = 10_000;
