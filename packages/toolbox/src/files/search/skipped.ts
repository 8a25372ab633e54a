import type { SkipReason } from "./search.ts";

/** How many files or folders were left out of a search, by the reason. */
export type Skipped = { [reason in SkipReason]?: number };

export function countSkipped(skipped: Skipped | undefined, reason: SkipReason): Skipped {
  return { ...skipped, [reason]: (skipped?.[reason] ?? 0) + 1 };
}
