import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { oneLine } from "../text/plain-text.ts";
import { fieldsOf, isObject } from "./fields-of.ts";
import { isPlain } from "./quoted.ts";

/** The schema of a form as a person's answer must fit it, or why no person is asked. */
export type Form = { readonly schema: JsonSchema & { properties: JsonObject } } | { readonly problem: string };

/**
 * Reads the schema that a server wants an answer to fit: a flat object of texts, numbers, flags and choices, as the revisions allow it.
 * Only keywords that are known are taken, so that no pattern and no reference of a server is ever run.
 */
export function formSchema(requested: unknown): Form {
  const { type, properties, required = [] } = fieldsOf(requested);
  if (type !== "object" || !isObject(properties)) return { problem: "its schema is no object with properties" };
  const names = Object.keys(properties);
  if (names.length > mostFields)
    return { problem: `it has ${names.length} fields, and at most ${mostFields} are asked` };
  const fields: Record<string, JsonObject> = Object.create(null);
  for (const name of names) {
    if (!isFieldName(name)) return { problem: `the name of a field is ${JSON.stringify(oneLine(name, 80))}` };
    const field = formField(fieldsOf(properties)[name]);
    if (!field) return { problem: `the field ${name} is of no kind that a form may have` };
    fields[name] = field;
  }
  const needed = Array.isArray(required) ? names.filter((name) => required.includes(name)) : [];
  const schema = { type: "object", properties: { ...fields }, required: needed, additionalProperties: false };
  if (JSON.stringify(schema).length > mostCharacters) return { problem: "its schema is too long for a person to read" };
  return { schema };
}

const mostFields = 40;
const mostCharacters = 32_000;
const mostChoices = 200;
const longestText = 500;

function isFieldName(name: string): boolean {
  return name !== "" && name !== "__proto__" && isPlain(name) && name === oneLine(name, 100);
}

/** Undefined for what is no field of a form, such as an object in an object. */
function formField(given: unknown): JsonObject | undefined {
  const field = fieldsOf(given);
  const about = [field.title, field.description].filter((text) => typeof text === "string");
  const withAbout = (own: JsonObject, choices?: Choices): JsonObject => {
    const words = [...about.map((text) => oneLine(text, longestText)), ...(choices?.words ?? [])].filter(Boolean);
    return {
      ...own,
      ...(words.length > 0 && { description: words.map(sentence).join(" ").replace(/\.$/, "") }),
      ...defaultOf(field, own),
    };
  };
  switch (field.type) {
    case "string": {
      if (field.enum === undefined && field.oneOf === undefined) return withAbout(textField(field));
      const choices = choicesOf(field.enum ?? field.oneOf, field.enumNames);
      return choices && withAbout({ type: "string", enum: choices.values }, choices);
    }
    case "number":
    case "integer":
      return withAbout({ type: field.type, ...numbers(field, "minimum", "maximum") });
    case "boolean":
      return withAbout({ type: "boolean" });
    case "array": {
      const items = fieldsOf(field.items);
      const choices = choicesOf(items.enum ?? items.anyOf, undefined);
      const item = { type: "string", enum: choices?.values ?? [] };
      return choices && withAbout({ type: "array", items: item, ...numbers(field, "minItems", "maxItems") }, choices);
    }
    default:
      return undefined;
  }
}

function textField(field: Readonly<Record<string, unknown>>): JsonObject {
  const format = formats.find((one) => one === field.format);
  return { type: "string", ...numbers(field, "minLength", "maxLength"), ...(format && { format }) };
}

function sentence(text: string): string {
  return /[.?!:]$/.test(text) ? text : `${text}.`;
}

const formats = ["email", "uri", "date", "date-time"] as const;

function numbers(field: Readonly<Record<string, unknown>>, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (Number.isFinite(field[name]) ? [[name, field[name] as number]] : [])),
  );
}

/** The default of a field; none where it is of another kind than the field. */
function defaultOf(field: Readonly<Record<string, unknown>>, own: JsonObject): JsonObject {
  const { default: given } = field;
  return isDefault(given, own) ? { default: given } : {};
}

function isDefault(given: unknown, { type, enum: choices, items }: JsonObject): given is Json {
  switch (type) {
    case "string":
      return isShortText(given) && (!Array.isArray(choices) || choices.includes(given));
    case "array":
      return Array.isArray(given) && given.every((one) => isDefault(one, items as JsonObject));
    case "integer":
      return Number.isInteger(given);
    default:
      return typeof given === type;
  }
}

interface Choices {
  readonly values: string[];
  /** What the values stand for, in one sentence, where the server says it. */
  readonly words: readonly string[];
}

/** `["a", "b"]`, or `[{ const: "a", title: "An A" }]`. Undefined for anything else. */
function choicesOf(given: unknown, names: unknown): Choices | undefined {
  if (!Array.isArray(given) || given.length === 0 || given.length > mostChoices) return undefined;
  const values = given.map((one) => (isObject(one) ? fieldsOf(one).const : one));
  if (!values.every(isShortText)) return undefined;
  const titles = given.map((one, at) =>
    isObject(one) ? fieldsOf(one).title : Array.isArray(names) ? names[at] : undefined,
  );
  const meanings = values.flatMap((value, at) => {
    const title = titles[at];
    return typeof title === "string" && title !== value ? [`${value} is ${oneLine(title, 100)}`] : [];
  });
  return { values: [...new Set(values)], words: meanings.length > 0 ? [meanings.join(", ")] : [] };
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length <= longestText && isPlain(value);
}
