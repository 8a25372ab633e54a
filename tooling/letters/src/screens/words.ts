import type { Part, Parts } from "@cogency/protocol/parts";
import type { Shown } from "../processes/start-reader.ts";

/** What the model has written of a screen, in order. Open and stored parts read the same. */
export function textOf(parts: Parts): string {
  return parts.flatMap((part) => written(part) ?? []).join("\n");
}

function written(part: Part): string | undefined {
  if (part.type === "text" || part.type === "thinking") return part.content;
  if (part.type !== "call") return undefined;
  return part.state === "writing" ? (part.text ?? "") : JSON.stringify(part.args);
}

/** The words of a screen that are whole: of an open text, all but the last. */
export function wordsOf(parts: Parts): string[] {
  return parts.flatMap((part) => {
    const words = (written(part) ?? "").match(/\b[0-9a-z]{8}\b/g) ?? [];
    return "open" in part && part.open ? words.slice(0, -1) : words;
  });
}

/** Milliseconds from when each word was written to when a reader showed it. */
export function delaysOf(screens: readonly Shown[]): number[] {
  const seen = new Set<string>();
  return screens.flatMap(({ at, parts }) =>
    wordsOf(parts).flatMap((word) => {
      if (seen.has(word)) return [];
      seen.add(word);
      return at - Number.parseInt(word, 36);
    }),
  );
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
