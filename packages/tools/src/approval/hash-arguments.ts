import type { JsonObject } from "@cogency/protocol";
import { canonicalJson } from "./canonical-json.ts";

/** SHA-256 of the canonical JSON of the arguments in UTF-8, as 64 lower-case hexadecimal digits. */
export async function argumentsHash(args: JsonObject): Promise<string> {
  return sha256(canonicalJson(args));
}

/** SHA-256 of the text in UTF-8, as 64 lower-case hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
