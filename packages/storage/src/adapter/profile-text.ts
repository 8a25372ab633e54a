import type { Json } from "@cogency/protocol";
import { StoreError } from "../errors.ts";
import { copyJson } from "./copy-json.ts";
import { jsonWithin } from "./json-size.ts";

/**
 * Returns a profile as the JSON text that a store keeps. An adapter must call it before its first `await`.
 *
 * @throws StoreError `invalid_profile` for a value that JSON would drop or change, or whose JSON has more than
 * `maxStoredBytes`
 */
export function profileText(profile: Json): string {
  const clean = copyJson(profile, (problem) => {
    throw invalid(problem);
  });
  return jsonWithin(
    () => JSON.stringify(clean),
    (problem, options) => {
      throw invalid(problem, options);
    },
  );
}

function invalid(problem: string, options?: ErrorOptions): StoreError {
  return new StoreError("invalid_profile", `The profile cannot be stored: ${problem}`, options);
}
