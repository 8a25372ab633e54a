import type { JsonSchema } from "@cogency/protocol";
import { isSchema, itemSchemas, namedKeys, propertySchemas, resolveReference, schemaParts } from "./schema-parts.ts";

/** What a schema says about the keys of objects at one place in a value. */
export interface SchemaPlace {
  /** No key is unknown: further keys are admitted, none is declared, or a reference cannot be followed. */
  readonly isOpen: boolean;
  /** Keys that are named but not declared, such as required ones. */
  readonly named: ReadonlySet<unknown>;
  /** All names in the schema, for advice. */
  names(): readonly string[];
  /** The place of a property's value; undefined when nothing declares the property. */
  property(key: string): SchemaPlace | undefined;
  item(index: number): SchemaPlace;
}

/**
 * The place of the whole value. Each place is computed at its first use and kept, because a schema is used for every call.
 */
export function schemaPlace(root: JsonSchema): SchemaPlace {
  // By schema, not by path: a recursive schema has endless paths.
  const known = new Map<unknown, SchemaPlace>();
  return placeOf([root]);

  function placeOf(schemas: readonly unknown[]): SchemaPlace {
    const [schema] = schemas;
    if (schemas.length !== 1) return workedOut(schemas);
    const place = known.get(schema) ?? workedOut(schemas);
    known.set(schema, place);
    return place;
  }

  function workedOut(schemas: readonly unknown[]): SchemaPlace {
    const parts = schemaParts(schemas, root);
    const declared = new Map<string, SchemaPlace>();
    const named = namedKeys(parts);
    return {
      isOpen:
        parts.some((part) => admitsMore(part) || refersElsewhere(part, root)) ||
        !parts.some((part) => forbidsMore(part) || isSchema(part.properties)),
      named,
      names: () => namesIn(parts, named),
      property(key) {
        const before = declared.get(key);
        if (before) return before;
        const found = propertySchemas(parts, key);
        if (found.length === 0) return undefined;
        const place = placeOf(found);
        // Only declared names are kept: a pattern or `additionalProperties` admits any number of names.
        if (parts.some(({ properties }) => isSchema(properties) && Object.hasOwn(properties, key))) {
          declared.set(key, place);
        }
        return place;
      },
      item: (index) => placeOf(itemSchemas(parts, index)),
    };
  }
}

function admitsMore(part: JsonSchema): boolean {
  return [part.additionalProperties, part.unevaluatedProperties].some((more) => more === true || isSchema(more));
}

function forbidsMore(part: JsonSchema): boolean {
  return part.additionalProperties === false || part.unevaluatedProperties === false;
}

/** Whether the reference uses `$anchor` or `$id`, which only the schema's own check follows. */
function refersElsewhere({ $ref }: JsonSchema, root: JsonSchema): boolean {
  return $ref !== undefined && resolveReference($ref, root) === undefined;
}

function namesIn(parts: readonly JsonSchema[], named: ReadonlySet<unknown>): string[] {
  const declared = parts.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []));
  return [...new Set([...declared, ...[...named].filter((name) => typeof name === "string")])];
}
