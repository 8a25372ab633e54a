import type { Json } from "@cogency/protocol";

/** The JSON text of a value, the same whatever order its keys were written in: keys sorted by UTF-16 code units. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(byKey);
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`;
}

function byKey([one]: [string, Json], [other]: [string, Json]): number {
  return one < other ? -1 : 1;
}
