import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { type AdmittedType, admittedTypes, partsOf, type Schemas } from "./admitted-types.ts";
import { hostileIssue } from "./hostile-arguments.ts";
import { itemSchemas, propertySchemas } from "./schema-parts.ts";

/**
 * A copy of the arguments in which strings are read as values of another type, at any depth. A string is read only if the
 * schema does not admit a string there, and if it spells a value of an admitted type.
 *
 * - `"json"`: a string that holds a JSON array or object
 * - `"lexical"`: also a number, an integer, `true`, `false` and `null`
 *
 * @param changed called whenever a string was read as another value
 */
export function coerce(
  args: JsonObject,
  schema: JsonSchema,
  mode: "json" | "lexical",
  changed?: () => void,
): JsonObject {
  if (!Object.values(args).some(mayStandForMore)) return { ...args };
  return coerceObject(args, partsOf({ certain: [schema], all: [schema] }, schema));

  /** Whether a value may need coercion. Most arguments do not, so that their schema need not be read. */
  function mayStandForMore(value: Json): boolean {
    if (typeof value === "string") return mode === "lexical" || /^\s*[[{]/.test(value);
    return typeof value === "object" && value !== null;
  }

  function coerceValue(value: Json, schemas: Schemas<unknown>): Json {
    const meant = typeof value === "string" ? spelled(value, admittedTypes(schemas, schema), mode) : value;
    if (meant !== value) changed?.();
    if (meant === null || typeof meant !== "object") return meant;
    const { certain, all } = partsOf(schemas, schema);
    return Array.isArray(meant)
      ? meant.map((item, index) =>
          coerceValue(item, { certain: itemSchemas(certain, index), all: itemSchemas(all, index) }),
        )
      : coerceObject(meant, { certain, all });
  }

  function coerceObject(object: JsonObject, { certain, all }: Schemas<JsonSchema>): JsonObject {
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        mayStandForMore(value)
          ? coerceValue(value, { certain: propertySchemas(certain, key), all: propertySchemas(all, key) })
          : value,
      ]),
    );
  }
}

/** The value that the text spells if its type is admitted, else the text itself. */
function spelled(text: string, types: ReadonlySet<AdmittedType>, mode: "json" | "lexical"): Json {
  if (types.has("string")) return text;
  const word = text.trim();
  if (types.has("array") && word.startsWith("[")) return parsedContainer(word) ?? text;
  if (types.has("object") && word.startsWith("{")) return parsedContainer(word) ?? text;
  if (mode === "json") return text;
  if (types.has("boolean") && (word === "true" || word === "false")) return word === "true";
  if (types.has("null") && word === "null") return null;
  return parsedNumber(word, types) ?? text;
}

/** The array or object that the text spells; undefined if parsing would lose data or give a hostile value. */
function parsedContainer(text: string): Json[] | JsonObject | undefined {
  try {
    let members = 0;
    const container = JSON.parse(text, function (this: unknown, _, value) {
      if (typeof value === "number" && isLossy(value)) throw new RangeError("not exact");
      if (!Array.isArray(this)) members += 1;
      return value;
    });
    // Fewer members than keys: a key was repeated. `JSON.parse` counts the whole value as one more member.
    if (members - 1 < writtenKeys(text)) return undefined;
    return hostileIssue(container) === undefined ? container : undefined;
  } catch {
    return undefined;
  }
}

/** The number of keys in a valid JSON text: of the strings before a colon. */
function writtenKeys(json: string): number {
  let keys = 0;
  for (let open = json.indexOf('"'); open >= 0; ) {
    let close = open + 1;
    while (json.charAt(close) !== '"') close += json.charAt(close) === "\\" ? 2 : 1;
    let next = close + 1;
    while (/\s/.test(json.charAt(next))) next++;
    if (json.charAt(next) === ":") keys++;
    open = json.indexOf('"', close + 1);
  }
  return keys;
}

function parsedNumber(word: string, types: ReadonlySet<AdmittedType>): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return undefined;
  const value = Number(word);
  if (isLossy(value)) return undefined;
  return types.has("number") || (types.has("integer") && Number.isInteger(value)) ? value : undefined;
}

/** Whether a number is not exact: beyond the safe integers an identifier would become another one. */
function isLossy(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}
