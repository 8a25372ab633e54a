import type { Json, JsonObject } from "@cogency/protocol";
import type { ModelRequest } from "../provider.ts";

/** The request with these fields of the wire. What the caller set there itself is stronger. */
export function withOptions(request: ModelRequest, options: JsonObject): ModelRequest {
  return { ...request, options: joined(options, request.options ?? {}) };
}

/** Objects field by field; the second value is stronger. */
function joined(first: JsonObject, second: JsonObject): JsonObject {
  const both = Object.entries(second).map(([name, value]): [string, Json] => {
    const before = first[name];
    return [name, isFields(before) && isFields(value) ? joined(before, value) : value];
  });
  return { ...first, ...Object.fromEntries(both) };
}

function isFields(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
