import type { JsonObject } from "@cogency/protocol";

/** Whether a value from the wire has fields that can be looked at. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same of a value that came out of JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}
