import type { JsonObject } from "@cogency/protocol";

/** Whether a value from the wire is an object whose fields can be read. Lists and null are not. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same check for a value that was parsed from JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** Anything but a string becomes the empty string. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** A number of tokens, rounded. Anything but a positive number becomes 0. */
export function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.round(value) : 0;
}

/** A field of `request.options`, which may hold anything: an object or a list as it is, else an empty object. */
export function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
