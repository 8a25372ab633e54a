import type { Json, JsonObject } from "@cogency/protocol";
import { clipped } from "@cogency/protocol/options";
import type { Issue } from "../validation.ts";
import { advice } from "../value-text.ts";
import { issuePath } from "./issue-path.ts";
import type { SchemaPlace } from "./schema-place.ts";

export interface StrippedArguments {
  /** A copy without the unknown keys. */
  args: JsonObject;
  /** One for each removed key. */
  unknown: readonly Issue[];
}

/**
 * Removes the keys that the schema neither declares nor names, at any depth. Returns a copy, and an issue for each removed key
 * with the names that were probably meant.
 *
 * An object keeps all its keys if its schema declares no property at all, if `additionalProperties` or
 * `unevaluatedProperties` admits more, or if a `$ref` is not a path in the schema.
 */
export function stripUnknownKeys(args: JsonObject, place: SchemaPlace): StrippedArguments {
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
    const kept: [string, Json][] = [];
    for (const [key, value] of Object.entries(object)) {
      const inner = place.property(key);
      if (inner || place.isOpen || place.named.has(key)) kept.push([key, strip(value, key, inner)]);
      else unknown.push(unknownKey(key, place));
    }
    // `fromEntries` defines each key, so that a key `__proto__` stays plain data.
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

/** Keys that get advice: comparing names takes time, and nobody reads more. */
const mostAdvised = 100;
