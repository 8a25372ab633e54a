import type { JsonSchema } from "@cogency/protocol";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { jsonSchemaOf } from "./standard-schema.ts";

/**
 * The kind of the root of a schema in the words of its library, such as `object` or `string`. Undefined if the schema may
 * admit an object, and for unknown libraries.
 */
export function rootKind(schema: StandardSchemaV1): string | undefined {
  const type = ownJsonSchema(schema)?.type;
  if (typeof type === "string") return type;
  const kind = kindOf(schema);
  return kind !== undefined && otherThanObjects.has(kind) ? kind : undefined;
}

function ownJsonSchema(schema: StandardSchemaV1): JsonSchema | undefined {
  try {
    return jsonSchemaOf(schema);
  } catch {
    return undefined;
  }
}

/** The kind that zod 4 (`_zod.def.type`), zod 3 (`_def.typeName`) and valibot (`type`) give a schema, without its wrappers. */
function kindOf(schema: unknown): string | undefined {
  const { _zod, _def, type, wrapped } = schema as SchemaForm;
  const { type: zodKind, typeName, innerType, schema: effected, effect, in: source } = _zod?.def ?? _def ?? {};
  const branded = typeName === "ZodBranded" ? zodKind : undefined;
  const inner = innerType ?? branded ?? (effect?.type === "preprocess" ? undefined : effected) ?? source ?? wrapped;
  if (inner !== undefined) return kindOf(inner);
  const kind = typeName?.replace(/^Zod/, "") ?? zodKind ?? type;
  return typeof kind === "string" ? kind.toLowerCase() : undefined;
}

interface SchemaForm {
  _zod?: { def: Definition };
  _def?: Definition;
  type?: unknown;
  wrapped?: unknown;
}

interface Definition {
  type?: unknown;
  typeName?: string;
  innerType?: unknown;
  schema?: unknown;
  effect?: { type: string };
  in?: unknown;
}

const otherThanObjects: ReadonlySet<string> = new Set([
  ...["string", "template_literal", "literal", "enum", "nativeenum", "picklist"],
  ...["number", "bigint", "boolean", "nan", "date", "symbol", "function"],
  ...["null", "undefined", "void", "never"],
  ...["array", "tuple", "loose_tuple", "strict_tuple", "tuple_with_rest", "set", "map"],
]);
