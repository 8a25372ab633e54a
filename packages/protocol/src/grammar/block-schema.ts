import type { JsonObject, JsonSchema } from "../json.ts";
import { remembered } from "./remembered.ts";
import type { TurnLanguage } from "./turn-language.ts";
import { isKeywords } from "./values/keywords.ts";

/**
 * The JSON Schema (draft 2020-12) of one block of the JSON dialect: an array of at least one call, each with the name of a tool
 * and arguments of its schema. For servers that bind an answer to a schema alone. References within the schemas of tools lead to
 * their places in `$defs`. Treat it as read-only: it is kept for the array of tools.
 */
export const blockSchema: (language: TurnLanguage) => JsonSchema = remembered(({ tools, hasOthers }) => {
  const definitions: { [name: string]: unknown } = {};
  const calls = tools.map(({ name, parameters }) => {
    definitions[name] = moved(parameters, `#/$defs/${encodeURIComponent(pointerPart(name))}`);
    return callSchema({ const: name }, { $ref: `#/$defs/${encodeURIComponent(pointerPart(name))}` });
  });
  const names = tools.map(({ name }) => name);
  const other = callSchema({ type: "string", ...(names.length > 0 && { not: { enum: names } }) }, { type: "object" });
  const alternatives = hasOthers ? [...calls, other] : calls;
  return { type: "array", minItems: 1, items: { anyOf: alternatives }, $defs: definitions };
});

function callSchema(name: JsonObject, args: JsonObject): JsonObject {
  return { type: "object", properties: { name, args }, required: ["name", "args"], additionalProperties: false };
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A copy of the schema whose references lead to the place at which it stands now. */
function moved(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map((part) => moved(part, place));
  if (!isKeywords(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const isReference = keyword === "$ref" && typeof value === "string" && /^#(?:\/|$)/.test(value);
    if (isReference) return [keyword, `${place}${(value as string).slice(1)}`];
    return [keyword, values.has(keyword) ? value : moved(value, place)];
  });
  return Object.fromEntries(entries.filter(([keyword]) => keyword !== "$schema" && keyword !== "$id"));
}

/** Keywords whose values are no schemas, and may look like some. */
const values = new Set(["const", "enum", "default", "examples"]);
