import type { Value } from "./json-value.ts";

/** The JSON text of a value: strings as JSON.stringify writes them, numbers and the order of keys as they stand. */
export function jsonText(value: Value): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if ("literal" in value) return value.literal;
  return `{${value.members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join(",")}}`;
}
