import { isObject, stringOf } from "@cogency/provider/http";

/** What a model warns of that is about the level of thinking; undefined if nothing is. Other warnings are left out. */
export function thinkingWarning(warnings: unknown): string | undefined {
  if (!Array.isArray(warnings)) return undefined;
  for (const warning of warnings.slice(0, mostWarnings)) {
    if (!isObject(warning)) continue;
    // Specification v2 calls it `setting`.
    const about = stringOf(warning.feature) || stringOf(warning.setting);
    if (/reason|think/i.test(about))
      return stringOf(warning.details) || stringOf(warning.message) || `It ignores ${about}.`;
  }
  return undefined;
}

const mostWarnings = 100;
