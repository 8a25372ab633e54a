import type { SkipReason } from "./search.ts";

/** The number of files and folders that were not searched, by reason. */
export type Skipped = { [reason in SkipReason]?: number };

export function countSkipped(skipped: Skipped | undefined, reason: SkipReason): Skipped {
  return { ...skipped, [reason]: (skipped?.[reason] ?? 0) + 1 };
}
