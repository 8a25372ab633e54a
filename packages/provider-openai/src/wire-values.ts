import type { JsonObject } from "@cogency/protocol";
import { isObject } from "@cogency/provider/http";

/** Whether a value that was parsed from JSON is an object. Lists and null are not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** A number of tokens, rounded. Anything but a positive number becomes 0. */
export function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.round(value) : 0;
}

/** A field of `request.options`, which may hold anything: an object or a list as it is, else an empty object. */
export function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
