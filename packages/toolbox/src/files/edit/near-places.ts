/** Whole lines that resemble the wanted text. */
export interface NearPlace {
  /** The first line, counted from 1. */
  line: number;
  /** The lines unchanged, without the end of the last one. */
  text: string;
  /** The only difference from the wanted text. */
  difference: "line ends" | "indentation" | "white space" | undefined;
}

/**
 * Finds the places of a text that are most similar to `wanted`, the best first. Each has as many lines as `wanted`. Similarity
 * is the share of common pairs of neighbouring characters, without white space. It takes one pass over the text.
 */
export function nearPlaces(text: string, wanted: string, most: number): NearPlace[] {
  const lines = text.split("\n");
  const size = wanted.replace(/\n$/, "").split("\n").length;
  const scores = windowScores(lines, wanted, Math.min(size, lines.length));
  const found: NearPlace[] = [];
  const taken: number[] = [];
  for (const { score, index } of scores) {
    if (score < leastScore || found.length === most) break;
    if (taken.some((other) => Math.abs(other - index) < size)) continue;
    taken.push(index);
    const place = lines.slice(index, index + size).join("\n");
    found.push({ line: index + 1, text: place.replace(/\r$/, ""), difference: onlyDifference(place, wanted) });
  }
  const exact = found.filter(({ difference }) => difference !== undefined);
  return exact.length > 0 ? exact : found;
}

// Places below this score share little more than the language they are written in.
const leastScore = 0.55;

/** Scores each run of `size` lines from 0 to 1: how much of `wanted` it holds, and how little else. The best first. */
function windowScores(lines: readonly string[], wanted: string, size: number): { score: number; index: number }[] {
  const missing = new Map<number, number>();
  const sought = pairs(wanted);
  for (const pair of sought) missing.set(pair, (missing.get(pair) ?? 0) + 1);
  if (sought.length === 0) return [];
  const perLine: number[][] = [];
  const scores: { score: number; index: number }[] = [];
  let shared = 0;
  let total = 0;
  for (const [index, line] of lines.entries()) {
    const entering = pairs(line);
    perLine.push(entering);
    total += entering.length;
    // A count below zero means that the window holds more of that pair than `wanted`.
    for (const pair of entering) shared += take(missing, pair);
    if (index >= size) {
      const leaving = perLine[index - size] ?? [];
      perLine[index - size] = [];
      total -= leaving.length;
      for (const pair of leaving) shared -= giveBack(missing, pair);
    }
    if (index < size - 1) continue;
    const held = shared / sought.length;
    const precise = (2 * shared) / (total + sought.length);
    // A part of a long line counts as similar, too; among equals, the place with the least other text wins.
    scores.push({ score: Math.max(held * 0.9, precise), index: index - size + 1 });
  }
  return scores.sort((a, b) => b.score - a.score || a.index - b.index);
}

function take(missing: Map<number, number>, pair: number): number {
  const left = missing.get(pair);
  if (left === undefined) return 0;
  missing.set(pair, left - 1);
  return left > 0 ? 1 : 0;
}

function giveBack(missing: Map<number, number>, pair: number): number {
  const left = missing.get(pair);
  if (left === undefined) return 0;
  missing.set(pair, left + 1);
  return left >= 0 ? 1 : 0;
}

function pairs(text: string): number[] {
  const bare = withoutSpace(text);
  const found: number[] = [];
  for (let index = 1; index < bare.length; index += 1) {
    found.push(bare.charCodeAt(index - 1) * 0x10000 + bare.charCodeAt(index));
  }
  return found;
}

function onlyDifference(place: string, wanted: string): NearPlace["difference"] {
  if (withLineFeeds(place).includes(withLineFeeds(wanted).replace(/\n$/, ""))) return "line ends";
  if (withoutIndentation(place).includes(withoutIndentation(wanted))) return "indentation";
  if (withoutSpace(place).includes(withoutSpace(wanted))) return "white space";
  return undefined;
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function withoutIndentation(text: string): string {
  return withLineFeeds(text)
    .replace(/\n$/, "")
    .replace(/^[ \t]+/gm, "");
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
