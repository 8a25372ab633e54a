import { type Json, type JsonObject, type JsonSchema, readModelJson } from "@cogency/protocol";
import type { Issue } from "../validation.ts";
import { type AdmittedType, admittedTypes, partsOf, type Schemas } from "./admitted-types.ts";
import { issuePath } from "./issue-path.ts";
import { itemSchemas, propertySchemas } from "./schema-parts.ts";

/**
 * A copy of the arguments in which strings are read as values of another type, at any depth. A string is read only if the
 * schema does not admit a string there, and if it spells a value of an admitted type.
 *
 * - `"json"`: a string that holds a JSON array or object
 * - `"lexical"`: also a number, an integer, `true`, `false` and `null`
 *
 * @param changed called whenever a string was read as another value
 * @param lost called for a string that would lose something if it were read so, and therefore stays
 */
export function coerce(
  args: JsonObject,
  schema: JsonSchema,
  mode: "json" | "lexical",
  changed?: () => void,
  lost?: (issue: Issue) => void,
): JsonObject {
  const path: PropertyKey[] = [];
  if (!Object.values(args).some(mayStandForMore)) return { ...args };
  return coerceObject(args, partsOf({ certain: [schema], all: [schema] }, schema));

  /** Whether a value may need coercion. Most arguments do not, so that their schema need not be read. */
  function mayStandForMore(value: Json): boolean {
    if (typeof value === "string") return mode === "lexical" || /^\s*[[{]/.test(value);
    return typeof value === "object" && value !== null;
  }

  function coerceValue(value: Json, key: PropertyKey, schemas: Schemas<unknown>): Json {
    path.push(key);
    const coerced = coerceAt(value, schemas);
    path.pop();
    return coerced;
  }

  function coerceAt(value: Json, schemas: Schemas<unknown>): Json {
    const meant = typeof value === "string" ? read(value, admittedTypes(schemas, schema)) : value;
    if (meant === null || typeof meant !== "object") return meant;
    const { certain, all } = partsOf(schemas, schema);
    return Array.isArray(meant)
      ? meant.map((item, index) =>
          coerceValue(item, index, { certain: itemSchemas(certain, index), all: itemSchemas(all, index) }),
        )
      : coerceObject(meant, { certain, all });
  }

  function read(text: string, types: ReadonlySet<AdmittedType>): Json {
    const value = spelled(text, types, mode);
    if (value !== text) changed?.();
    const message = value === text ? lossIn(text, types, mode) : undefined;
    if (message !== undefined) lost?.({ path: issuePath(path), message });
    return value;
  }

  function coerceObject(object: JsonObject, { certain, all }: Schemas<JsonSchema>): JsonObject {
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        mayStandForMore(value)
          ? coerceValue(value, key, { certain: propertySchemas(certain, key), all: propertySchemas(all, key) })
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
  const { json } = readModelJson(text, { wants: "value" });
  return json === undefined ? undefined : JSON.parse(json);
}

function parsedNumber(word: string, types: ReadonlySet<AdmittedType>): number | undefined {
  if (!aNumber.test(word)) return undefined;
  const value = Number(word);
  if (isLossy(value)) return undefined;
  return types.has("number") || (types.has("integer") && Number.isInteger(value)) ? value : undefined;
}

const aNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Whether a number is not exact: beyond the safe integers an identifier would become another one. */
function isLossy(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/** What would be lost if the text were read as what the schema demands; undefined if it spells no such thing. */
function lossIn(text: string, types: ReadonlySet<AdmittedType>, mode: "json" | "lexical"): string | undefined {
  if (types.has("string")) return undefined;
  const word = text.trim();
  const isContainer = (types.has("array") && word.startsWith("[")) || (types.has("object") && word.startsWith("{"));
  if (isContainer) return isJson(word) ? readModelJson(word, { wants: "value" }).fault?.message : undefined;
  const wantsNumber = mode === "lexical" && (types.has("number") || types.has("integer"));
  if (!wantsNumber || !aNumber.test(word) || !isLossy(Number(word))) return undefined;
  const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;
  return `not a number that can be kept; give an integer from ${MIN_SAFE_INTEGER} to ${MAX_SAFE_INTEGER}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
