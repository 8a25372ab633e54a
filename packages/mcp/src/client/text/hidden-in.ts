import type { Json } from "@cogency/protocol";

/** A value of a server in which secrets are taken out of every text. */
export function hiddenIn(value: Json, hide: (text: string) => string): Json {
  if (typeof value === "string") return hide(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => hiddenIn(inner, hide));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [hide(key), hiddenIn(inner, hide)]));
}
