import type { JsonSchema } from "@cogency/protocol";
import { isSchema, itemSchemas, namedKeys, propertySchemas, resolveReference, schemaParts } from "./schema-parts.ts";

/** What a schema says of the keys of the objects at one place of a value. */
export interface SchemaPlace {
  /** No key is unknown: more are admitted, nothing is declared, or what is declared cannot be followed. */
  readonly isOpen: boolean;
  /** Other keys are forbidden by the schema itself. */
  readonly isClosed: boolean;
  /** Keys that are named without being declared, as required ones. */
  readonly named: ReadonlySet<unknown>;
  /** All names that an author wrote down, for advice. */
  names(): readonly string[];
  /** The place of a property's value; undefined when nothing declares the property. */
  property(key: string): SchemaPlace | undefined;
  item(index: number): SchemaPlace;
}

/**
 * The place of the whole value. Places are worked out when they are first asked for, and then known: a schema that is
 * used for every call must not be read anew for each.
 */
export function schemaPlace(root: JsonSchema): SchemaPlace {
  // By schema, of which there are only so many, not by path, of which a recursive schema has no end.
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
    const isClosed = parts.some(forbidsMore);
    return {
      isOpen:
        parts.some((part) => admitsMore(part) || refersElsewhere(part, root)) ||
        !(isClosed || parts.some((part) => isSchema(part.properties))),
      isClosed,
      named,
      names: () => namesIn(parts, named),
      property(key) {
        const before = declared.get(key);
        if (before) return before;
        const found = propertySchemas(parts, key);
        if (found.length === 0) return undefined;
        const place = placeOf(found);
        // What a pattern or `additionalProperties` admits has any number of names.
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

/** By `$anchor` or `$id`: what is declared there is left to the schema's own check. */
function refersElsewhere({ $ref }: JsonSchema, root: JsonSchema): boolean {
  return $ref !== undefined && resolveReference($ref, root) === undefined;
}

function namesIn(parts: readonly JsonSchema[], named: ReadonlySet<unknown>): string[] {
  const declared = parts.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []));
  return [...new Set([...declared, ...[...named].filter((name) => typeof name === "string")])];
}
