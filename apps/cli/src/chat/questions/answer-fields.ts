import type { Json, JsonSchema } from "@cogency/protocol";

/** One value that a person types: all of an answer, or a field of it. */
export interface AnswerField {
  /** Undefined where it is all of the answer. */
  readonly name: string | undefined;
  /** What it is for, and what may be typed: `one of: red, green`; empty for any text. */
  readonly hint: string;
  /** Reads what was typed. `value` undefined leaves the field out. */
  read(text: string): { value: Json | undefined } | { problem: string };
}

/** The values that an answer needs: the fields of a flat object, else one; without a schema a text. */
export function answerFields(schema: JsonSchema | undefined): AnswerField[] {
  if (schema === undefined) return [{ name: undefined, hint: "", read: (text) => ({ value: text }) }];
  const { properties, required } = schema;
  if (schema.type !== "object" || !isObject(properties)) return [fieldOf(undefined, schema, true)];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => fieldOf(name, property, needed.includes(name)));
}

/** Puts values together to an answer. */
export function answerOf(fields: readonly AnswerField[], values: readonly (Json | undefined)[]): Json {
  const [only] = fields;
  if (only && only.name === undefined) return values[0] ?? null;
  return Object.fromEntries(
    fields.flatMap(({ name }, at) => (values[at] === undefined ? [] : [[name ?? "", values[at]]])),
  );
}

function fieldOf(name: string | undefined, given: unknown, isNeeded: boolean): AnswerField {
  const schema = isObject(given) ? given : {};
  const { kind, read } = readingOf(schema);
  const fallback = schema.default;
  const purpose = typeof schema.description === "string" ? schema.description : "";
  const unless = fallback !== undefined ? `${JSON.stringify(fallback)} if empty` : isNeeded ? "" : "may be left out";
  return {
    name,
    hint: [purpose, kind, unless].filter(Boolean).join("; "),
    read(text) {
      const typed = text.trim();
      if (typed === "" && fallback !== undefined) return { value: fallback };
      if (typed === "" && !isNeeded) return { value: undefined };
      return read(typed);
    },
  };
}

interface Reading {
  kind: string;
  read: AnswerField["read"];
}

function readingOf(schema: { readonly [name: string]: Json | undefined }): Reading {
  const { type } = schema;
  if (Array.isArray(schema.enum)) return oneOf(schema.enum);
  if (type === "array" && isObject(schema.items) && Array.isArray(schema.items.enum)) return anyOf(schema.items.enum);
  if (type === "boolean") return yesOrNo;
  if (type === "string") return { kind: "", read: (text) => ({ value: text }) };
  if (type === "number" || type === "integer") return number(type);
  return json;
}

function oneOf(choices: readonly Json[]): Reading {
  const names = choices.map((choice) => (typeof choice === "string" ? choice : JSON.stringify(choice)));
  const kind = `one of: ${names.join(", ")}`;
  return {
    kind,
    read(text) {
      const at = names.findIndex((name) => name.toLowerCase() === text.toLowerCase());
      return at < 0 ? { problem: kind } : { value: choices[at] };
    },
  };
}

/** A list of choices, with commas between them, or as JSON. */
function anyOf(choices: readonly Json[]): Reading {
  const { kind: one, read } = oneOf(choices);
  const kind = `${one.replace("one of", "any of")}, with commas`;
  return {
    kind,
    read(text) {
      if (text.startsWith("[")) return json.read(text);
      const parts = text.split(",").map((part) => part.trim());
      const readings = parts.filter((part) => part !== "").map(read);
      const values = readings.flatMap((reading) => ("value" in reading ? [reading.value as Json] : []));
      return values.length === readings.length ? { value: values } : { problem: kind };
    },
  };
}

const yesOrNo: Reading = {
  kind: "yes or no",
  read(text) {
    if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
    return /^(?:n|no|false)$/i.test(text) ? { value: false } : { problem: "yes or no" };
  },
};

function number(type: "number" | "integer"): Reading {
  const kind = type === "integer" ? "a whole number" : "a number";
  return {
    kind,
    read(text) {
      const value = Number(text);
      const isOne = text !== "" && Number.isFinite(value) && (type === "number" || Number.isInteger(value));
      return isOne ? { value } : { problem: kind };
    },
  };
}

const json: Reading = {
  kind: "JSON",
  read(text) {
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { problem: "JSON" };
    }
  },
};

function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
