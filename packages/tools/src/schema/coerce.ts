import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import { readModelJson } from "@cogency/protocol/host";
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
 * A string that spells a number, an array or an object is read as the wire's JSON is, and stays a string where that would be refused
 * (protocol.md P15).
 *
 * @param changed called whenever a string was read as another value
 * @param refused called whenever a string stays one for that reason
 */
export function coerce(
  args: JsonObject,
  schema: JsonSchema,
  mode: "json" | "lexical",
  changed?: () => void,
  refused?: (issue: Issue) => void,
): JsonObject {
  if (!Object.values(args).some(mayStandForMore)) return { ...args };
  return coerceObject(args, partsOf({ certain: [schema], all: [schema] }, schema), []);

  /** Whether a value may need coercion. Most arguments do not, so that their schema need not be read. */
  function mayStandForMore(value: Json): boolean {
    if (typeof value === "string") return mode === "lexical" || /^\s*[[{]/.test(value);
    return typeof value === "object" && value !== null;
  }

  function coerceValue(value: Json, schemas: Schemas<unknown>, keys: readonly PropertyKey[]): Json {
    const refuse = (message: string) => refused?.({ path: issuePath(keys), message });
    const meant = typeof value === "string" ? spelled(value, admittedTypes(schemas, schema), mode, refuse) : value;
    if (meant !== value) changed?.();
    if (meant === null || typeof meant !== "object") return meant;
    const { certain, all } = partsOf(schemas, schema);
    return Array.isArray(meant)
      ? meant.map((item, index) =>
          coerceValue(item, { certain: itemSchemas(certain, index), all: itemSchemas(all, index) }, [...keys, index]),
        )
      : coerceObject(meant, { certain, all }, keys);
  }

  function coerceObject(
    object: JsonObject,
    { certain, all }: Schemas<JsonSchema>,
    keys: readonly PropertyKey[],
  ): JsonObject {
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        mayStandForMore(value)
          ? coerceValue(value, { certain: propertySchemas(certain, key), all: propertySchemas(all, key) }, [
              ...keys,
              key,
            ])
          : value,
      ]),
    );
  }
}

/** The value that the text spells if its type is admitted, else the text itself. `refuse` is told why it cannot be read. */
function spelled(
  text: string,
  types: ReadonlySet<AdmittedType>,
  mode: "json" | "lexical",
  refuse: (message: string) => void,
): Json {
  if (types.has("string")) return text;
  const word = text.trim();
  const isContainer = (types.has("array") && word.startsWith("[")) || (types.has("object") && word.startsWith("{"));
  const wantsNumber = mode === "lexical" && (types.has("number") || types.has("integer"));
  if (isContainer || (wantsNumber && aNumber.test(word))) {
    const { json, fault } = readModelJson(word, { wants: "value" });
    if (fault) {
      // In a dialect whose values are texts, it would not help to write a string.
      const wanted = types.has("number")
        ? "a number of at most 15 digits"
        : `an integer up to ${Number.MAX_SAFE_INTEGER}`;
      const message = isContainer ? fault.message : fault.message.replace(/; .*/, `; expected ${wanted}`);
      refuse(isContainer ? `not valid JSON at character ${fault.position + 1}: ${message}` : message);
      return text;
    }
    const value: Json = JSON.parse(json);
    return isContainer || types.has("number") || Number.isInteger(value) ? value : text;
  }
  if (mode === "json") return text;
  if (types.has("boolean") && (word === "true" || word === "false")) return word === "true";
  return types.has("null") && word === "null" ? null : text;
}

const aNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
