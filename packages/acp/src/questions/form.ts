import type { ElicitationPropertySchema, PermissionOption } from "@agentclientprotocol/sdk";
import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { visibleLine } from "../out/visible-text.ts";

/** A form for the answer of a question, as an editor takes it. */
export interface Form {
  readonly properties: Record<string, ElicitationPropertySchema>;
  readonly required: string[];
  /** The answer of what was filled in. */
  answerOf(content: Readonly<Record<string, Json>>): Json;
}

/** The form for a JSON Schema: an object of plain values, one plain value, or without a schema a text. Undefined for any other one. */
export function formOf(schema: JsonSchema | undefined): Form | undefined {
  if (schema === undefined) return single({ type: "string", title: "Answer" });
  if (typeof schema !== "object" || schema === null) return undefined;
  const fields = schema as JsonObject;
  if (fields.type !== "object") {
    const property = propertyOf(fields);
    return property && single(property);
  }
  const { properties: given = {}, required } = fields;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const found = Object.entries(given).map(([name, value]) => [name, propertyOf(value)] as const);
  if (found.some(([, property]) => property === undefined)) return undefined;
  // Also a field of the name __proto__ is one.
  const properties = Object.fromEntries(found) as Record<string, ElicitationPropertySchema>;
  const names = Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [];
  return { properties, required: names, answerOf: (content) => ({ ...content }) };
}

function single(property: ElicitationPropertySchema): Form {
  return { properties: { answer: property }, required: ["answer"], answerOf: ({ answer = null }) => answer };
}

function propertyOf(schema: Json): ElicitationPropertySchema | undefined {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return undefined;
  const { type, enum: choices } = schema;
  const texts = Object.fromEntries(
    ["title", "description"].flatMap((key) => (typeof schema[key] === "string" ? [[key, schema[key]]] : [])),
  );
  if (Array.isArray(choices)) {
    if (!choices.every((choice) => typeof choice === "string")) return undefined;
    return { ...texts, type: "string", enum: choices } as ElicitationPropertySchema;
  }
  if (type === "array") {
    const items = schema.items as JsonObject | undefined;
    const all = items?.enum;
    if (!Array.isArray(all) || !all.every((choice) => typeof choice === "string")) return undefined;
    return {
      ...texts,
      ...numbersOf(schema, ["minItems", "maxItems"]),
      type,
      items: { type: "string", enum: all },
    } as ElicitationPropertySchema;
  }
  const limits = type === undefined || typeof type !== "string" ? undefined : plain.get(type);
  if (!limits) return undefined;
  return { ...texts, ...numbersOf(schema, limits), type } as ElicitationPropertySchema;
}

/** The kinds of plain values, with the limits that a form has for them. What it has not is checked when the answer comes. */
const plain: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", ["minLength", "maxLength"]],
  ["number", ["minimum", "maximum"]],
  ["integer", ["minimum", "maximum"]],
  ["boolean", []],
]);

function numbersOf(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (typeof schema[name] === "number" ? [[name, schema[name]]] : [])));
}

/** The answers among which a person may choose, for an editor without forms; undefined where there are none, or too many. */
export function choicesOf(
  schema: JsonSchema | undefined,
): { options: PermissionOption[]; answers: Json[] } | undefined {
  const form = formOf(schema);
  const [name, ...others] = Object.keys(form?.properties ?? {});
  const property = name === undefined ? undefined : (form?.properties[name] as JsonObject | undefined);
  if (!form || name === undefined || others.length > 0 || !property) return undefined;
  const values = property.type === "boolean" ? [true, false] : property.enum;
  if (property.type === "array" || !Array.isArray(values) || values.length > mostChoices) return undefined;
  const options = values.map(
    (value, at): PermissionOption => ({
      optionId: `choice-${at}`,
      name: visibleLine(value === true ? "Yes" : value === false ? "No" : String(value)),
      kind: "allow_once",
    }),
  );
  return { options, answers: values.map((value) => form.answerOf({ [name]: value })) };
}

const mostChoices = 20;
