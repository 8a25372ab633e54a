import { unfoldedIndex } from "./fold.ts";
import type { Occurrence } from "./occurrences.ts";

/**
 * At most 300 code points of a passage on one line, starting a little before the part where most of the words stand
 * close together. "…" marks an omission.
 */
export function excerpt(text: string, occurrences: readonly Occurrence[]): string {
  const index = unfoldedIndex(text, densest(occurrences));
  // A code point has at most two code units. Cutting first avoids splitting a large passage into characters.
  const before = Array.from(text.slice(Math.max(0, index - 4 * lead), index));
  const lastBefore = before.slice(-lead);
  const start = (lastBefore.length < before.length ? "…" : "") + lastBefore.join("");
  const after = text.slice(index, index + 4 * longest);
  const end = index + after.length < text.length ? `${after.replace(/[\ud800-\udbff]$/, "")}…` : after;
  return beginning(
    (start + end)
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim()
      .toWellFormed(),
  );
}

const longest = 300;
const lead = 80;
const stretch = 180;

/** The start of the stretch of text that contains the most different words. */
function densest(occurrences: readonly Occurrence[]): number {
  let best = occurrences[0]?.index ?? 0;
  let most = 0;
  let start = 0;
  const inside = new Map<number, number>();
  for (const { word, index } of occurrences) {
    inside.set(word, (inside.get(word) ?? 0) + 1);
    for (let first = occurrences[start]; first && first.index < index - stretch; first = occurrences[++start]) {
      const left = (inside.get(first.word) ?? 0) - 1;
      if (left > 0) inside.set(first.word, left);
      else inside.delete(first.word);
    }
    if (inside.size > most) {
      most = inside.size;
      best = occurrences[start]?.index ?? index;
    }
  }
  return best;
}

function beginning(text: string): string {
  const characters = Array.from(text.slice(0, 2 * (longest + 1)));
  if (characters.length <= longest) return text;
  return `${characters
    .slice(0, longest - 1)
    .join("")
    .trimEnd()}…`;
}
