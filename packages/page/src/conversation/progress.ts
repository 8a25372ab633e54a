import type { Json } from "@cogency/protocol";

/** Characters of what a program printed that are kept. */
const mostPrinted = 4096;

/**
 * What can be shown of a call that runs, after another report of it: the end of what a program has printed, whose lines and control
 * sequences may come in pieces, else the address or the words that are asked for.
 */
export function progressAfter(update: Json, before: string): string {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return before;
  const { text, url, query } = update;
  if (typeof text === "string") return (before + text).slice(-mostPrinted);
  return [url, query].find((value) => typeof value === "string") ?? before;
}

/** The last line that is not empty, without the sequences that colour and move it, cut to what stands in one row. */
export function lastLine(progress: string): string {
  const lines = progress.replace(controlSequence, "").split(/[\r\n]+/);
  return (lines.findLast((line) => line.trim() !== "")?.trim() ?? "").slice(0, mostShown);
}

const mostShown = 500;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with one
const controlSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
