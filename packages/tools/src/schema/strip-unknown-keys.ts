import type { Json, JsonObject } from "@cogency/protocol";
import { advice, clipped } from "../check-options.ts";
import type { Issue } from "../validation.ts";
import { issuePath } from "./issue-path.ts";
import type { SchemaPlace } from "./schema-place.ts";

export interface StrippedArguments {
  /** A copy without the unknown keys. */
  args: JsonObject;
  /** One for each key that was left out. */
  unknown: readonly Issue[];
}

/**
 * A copy of the value without the keys that its schema neither declares nor names otherwise, at any depth, and those
 * keys as issues with the names that were probably meant.
 *
 * An object is left whole where its schema declares no property at all, where `additionalProperties` (or
 * `unevaluatedProperties`) admits more, where a `$ref` is more than a path in the schema, and, with `closed: "keep"`,
 * where `additionalProperties` is false: there the schema's own library reports the key.
 */
export function stripUnknownKeys(args: JsonObject, place: SchemaPlace, closed: "strip" | "keep"): StrippedArguments {
  const unknown: Issue[] = [];
  const path: PropertyKey[] = [];
  return { args: stripObject(args, place), unknown };

  function strip(value: Json, key: PropertyKey, place: SchemaPlace | undefined): Json {
    if (value === null || typeof value !== "object" || !place) return value;
    path.push(key);
    const stripped = Array.isArray(value)
      ? value.map((item, index) => strip(item, index, place.item(index)))
      : stripObject(value, place);
    path.pop();
    return stripped;
  }

  function stripObject(object: JsonObject, place: SchemaPlace): JsonObject {
    const keepsAll = place.isOpen || (closed === "keep" && place.isClosed);
    const kept: [string, Json][] = [];
    for (const [key, value] of Object.entries(object)) {
      const inner = place.property(key);
      if (inner || keepsAll || place.named.has(key)) kept.push([key, strip(value, key, inner)]);
      else unknown.push(unknownKey(key, place));
    }
    // fromEntries defines each key, so that even a key `__proto__` stays plain data.
    return Object.fromEntries(kept);
  }

  function unknownKey(key: string, place: SchemaPlace): Issue {
    const name = `there is no \`${clipped(key)}\``;
    if (unknown.length >= mostAdvised) return { path: issuePath([...path, key]), message: name };
    const names = place.names();
    const instead = names.length === 0 ? "there are no names here" : advice(key, names).replace(/\.$/, "");
    return { path: issuePath([...path, key]), message: `${name}; ${instead}` };
  }
}

/** Comparing names takes time, and nobody reads advice on more keys. */
const mostAdvised = 100;
