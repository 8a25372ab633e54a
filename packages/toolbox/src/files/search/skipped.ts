import type { SkipReason } from "./search.ts";

/** The number of files and folders that were not searched, by reason. */
export type Skipped = { [reason in SkipReason]?: number };

export function countSkipped(skipped: Skipped | undefined, reason: SkipReason): Skipped {
  return { ...skipped, [reason]: (skipped?.[reason] ?? 0) + 1 };
}

/** Joins sentences for the model into one note; undefined if there are none. */
export function noteOf(sentences: readonly (string | undefined)[]): string | undefined {
  const present = sentences.filter((sentence) => sentence !== undefined);
  return present.length === 0
    ? undefined
    : present.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}
