import { schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from "@cfworker/json-schema";
import type { JsonSchema } from "@cogency/protocol";
import { isSchema, listOf } from "./schema-parts.ts";

/** All schemas within a schema, itself included. Values that only look like one, as in `examples`, are left out. */
export function subschemas(root: JsonSchema): readonly JsonSchema[] {
  const found = new Set([root]);
  // A set may grow while it is iterated.
  for (const schema of found) {
    for (const [keyword, value] of Object.entries(schema)) {
      for (const inner of within(keyword, value)) if (isSchema(inner)) found.add(inner);
    }
  }
  return [...found];
}

function within(keyword: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return schemaArrayKeyword[keyword] ? listOf(value) : [];
  if (schemaMapKeyword[keyword] || keyword === "dependencies") return isSchema(value) ? Object.values(value) : [];
  return schemaKeyword[keyword] ? [value] : [];
}
