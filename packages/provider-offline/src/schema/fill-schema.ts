/** A JSON Schema, or any part of one. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * A value that fits a JSON Schema, as a form that somebody filled in: what the model has to say stands in the first text that may hold
 * it, and everything else is the least that the schema allows. Keywords that a value cannot be read off, such as most patterns, are
 * not heeded.
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

  value(given: unknown, depth: number): unknown {
    const schema = this.#resolved(given);
    for (const [first] of [[schema.const], ofList(schema.enum)]) if (first !== undefined) return first;
    if (schema.default !== undefined) return schema.default;
    if (schema.enum !== undefined) return null;
    switch (this.#typeOf(schema)) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return this.#array(schema, depth);
      case "string":
        return this.#string(schema);
      case "number":
      case "integer":
        return number(schema);
      case "boolean":
        return true;
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

  #typeOf({ type, properties, items, prefixItems }: Schema): unknown {
    const types = [type].flat();
    if (types[0] !== undefined) return types.find((one) => one !== "null") ?? "null";
    if (properties !== undefined) return "object";
    return items !== undefined || prefixItems !== undefined ? "array" : "string";
  }

  /** All properties; below the deepest level only those that must be there, so that a schema that holds itself has an end. */
  #object({ properties, required }: Schema, depth: number): object {
    const needed = ofList(required);
    const entries = Object.entries((properties ?? {}) as Record<string, unknown>).filter(
      ([name]) => depth < deepest || needed.includes(name),
    );
    return Object.fromEntries(
      entries.map(([name, schema]) => [name, depth < mostLevels ? this.value(schema, depth + 1) : null]),
    );
  }

  #array({ items, prefixItems, minItems, maxItems }: Schema, depth: number): unknown[] {
    const first = ofList(prefixItems).map((schema) => this.value(schema, depth + 1));
    const least = typeof minItems === "number" ? minItems : depth < deepest ? 1 : 0;
    const most = typeof maxItems === "number" ? maxItems : mostItems;
    const count = depth < mostLevels && items !== false ? Math.min(least, most, mostItems) - first.length : 0;
    const others = Array.from({ length: Math.max(0, count) }, () => this.value(items, depth + 1));
    return [...first, ...others];
  }

  #string({ format, minLength, maxLength, pattern }: Schema): string {
    const known = typeof format === "string" ? formats[format] : undefined;
    if (known !== undefined) return known;
    const most = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
    const least = typeof minLength === "number" ? Math.min(minLength, mostCharacters) : 0;
    const isFree = typeof pattern !== "string" || new RegExp(pattern, "u").test(this.#text);
    const said = isFree ? this.#text : "";
    if (isFree) this.#text = "";
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
