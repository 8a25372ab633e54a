import type { JsonSchema } from "../../json.ts";

/** The keywords of a schema that is not a boolean. Nothing is known of their values. */
export type Keywords = JsonSchema;

export function isKeywords(schema: unknown): schema is Keywords {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema);
}

/** The members of a keyword that holds schemas by name, such as `properties`. */
export function schemasByName(value: unknown): [string, unknown][] {
  return isKeywords(value) ? Object.entries(value) : [];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A count that a keyword holds; `otherwise` for anything that is none. */
export function countOf(value: unknown, otherwise: number): number {
  return typeof value === "number" && value >= 0 ? Math.ceil(value) : otherwise;
}
