import type { Json } from "@cogency/protocol";
import { StoreError } from "../errors.ts";
import { copyJson } from "./copy-json.ts";

/**
 * A profile as JSON text, which is what a store keeps. An adapter calls it before its first `await`.
 *
 * @throws StoreError `invalid_profile` for what JSON would drop or change, and for what is longer than a string can be
 */
export function profileText(profile: Json): string {
  const clean = copyJson(profile, (problem) => {
    throw invalid(problem);
  });
  try {
    return JSON.stringify(clean);
  } catch (cause) {
    throw invalid("as JSON it is longer than a string can be.", { cause });
  }
}

function invalid(problem: string, options?: ErrorOptions): StoreError {
  return new StoreError("invalid_profile", `The profile cannot be stored: ${problem}`, options);
}
