import type { JsonObject } from "@cogency/protocol";

/** Whether a value is an object literal, also one of another realm: its prototype is null or an `Object.prototype`. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
