import type { Json, JsonObject } from "@cogency/protocol";
import { isTooDeep } from "../transport/is-too-deep.ts";

/** Why a schema of a server is not used; undefined if nothing speaks against it. The checks of `defineTool` come after these. */
export function schemaLimitProblem(schema: unknown): string | undefined {
  if (isTooDeep(schema, deepest)) return `its schema is nested deeper than ${deepest} levels`;
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).byteLength;
  if (bytes > mostBytes) return `its schema has ${bytes} bytes, and at most ${mostBytes} are taken`;
  return undefined;
}

const deepest = 64;
const mostBytes = 64 * 1024;

/**
 * A schema without regular expressions and `uniqueItems`, which could make checking a value take for ever. What they demand is not checked,
 * and names that only they allow are allowed.
 */
export function withoutCostly(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutCostly);
  if (typeof schema !== "object" || schema === null) return schema;
  const { patternProperties, ...others } = schema as JsonObject;
  const left = Object.entries(others).filter(
    ([key, value]) => !isCostly(key, value) && !(patternProperties && closing.has(key)),
  );
  return Object.fromEntries(left.map(([key, value]) => [key, withoutCostly(value)]));
}

/** A property may have the name of a keyword: its value is a schema. */
function isCostly(key: string, value: Json): boolean {
  return (key === "pattern" && typeof value === "string") || (key === "uniqueItems" && typeof value === "boolean");
}

const closing = new Set(["additionalProperties", "unevaluatedProperties", "propertyNames"]);
