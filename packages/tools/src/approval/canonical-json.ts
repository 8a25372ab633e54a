import type { Json, JsonObject } from "@cogency/protocol";

/**
 * The one JSON text of a value, whatever order its keys were written in: keys sorted by UTF-16 code units at every depth,
 * numbers as `JSON.stringify` writes them (so -0 is 0), no white space. Nesting may be as deep as on the wire, 256 levels
 * (protocol.md P15); the value must be free of cycles.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(byKey);
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`;
}

function byKey([a]: [string, Json], [b]: [string, Json]): number {
  return a < b ? -1 : 1;
}

/**
 * SHA-256 of the canonical JSON of the arguments in UTF-8, as 64 lower-case hexadecimal digits. An approval is bound to it, so that it
 * holds for the arguments that were shown and for no others: `batch/judge.ts` compares it.
 */
export async function argumentsHash(args: JsonObject): Promise<string> {
  return sha256(canonicalJson(args));
}

/** SHA-256 of the text in UTF-8, as 64 lower-case hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
