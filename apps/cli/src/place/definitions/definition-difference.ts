import type { JsonObject } from "@cogency/protocol";
import type { Definition } from "./definition.ts";

/**
 * What has changed in a definition, line by line as in a diff: `- ` before what is gone, `+ ` before what is new, two spaces before
 * what stays beside it, and `@ ` before the part that changed. About eighty lines; the last one says how many more there are.
 */
export function definitionDifference(before: Definition, after: Definition): string[] {
  const lines = parts.flatMap(([name, textOf]) => {
    const changed = differingLines(rowsOf(textOf(before)), rowsOf(textOf(after)));
    return changed.length > 0 ? [`@ ${name}`, ...changed] : [];
  });
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more lines`];
}

const mostLines = 80;

const parts: readonly (readonly [name: string, textOf: (definition: Definition) => string])[] = [
  ["description", ({ description }) => description],
  ["parameters", ({ parameters }) => jsonText(parameters)],
  ["annotations", ({ annotations }) => jsonText(annotations)],
];

/** The order of keys means nothing, so that it is no difference. */
function jsonText(value: JsonObject): string {
  return JSON.stringify(value, (_, inner) => sorted(inner), 2);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Lines, of which a long one is several: a change far to the right shall be seen. */
function rowsOf(text: string): string[] {
  return text.split("\n").flatMap((line) => line.match(/.{1,200}/gsu) ?? [""]);
}

type Mark = "-" | "+" | " ";

function differingLines(before: readonly string[], after: readonly string[]): string[] {
  const marked = compared(before, after);
  const near = new Set(
    marked.flatMap(([mark], at) =>
      mark === " " ? [] : [at - 2, at - 1, at, at + 1, at + 2].filter((one) => one >= 0),
    ),
  );
  return marked.flatMap(([mark, line], at) => (near.has(at) ? [`${mark} ${line}`] : []));
}

function compared(before: readonly string[], after: readonly string[]): [Mark, string][] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let same = 0;
  while (
    same < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - same] === after[after.length - 1 - same]
  )
    same++;
  const kept = (lines: readonly string[]) => lines.map((line): [Mark, string] => [" ", line]);
  return [
    ...kept(before.slice(0, start)),
    ...aligned(before.slice(start, before.length - same), after.slice(start, after.length - same)),
    ...kept(before.slice(before.length - same)),
  ];
}

/** Keeps the longest common lines. Texts of which that would take long count as wholly different. */
function aligned(before: readonly string[], after: readonly string[]): [Mark, string][] {
  const gone = (lines: readonly string[]) => lines.map((line): [Mark, string] => ["-", line]);
  const come = (lines: readonly string[]) => lines.map((line): [Mark, string] => ["+", line]);
  if (before.length * after.length > mostComparisons) return [...gone(before), ...come(after)];
  const common = commonLengths(before, after);
  const marked: [Mark, string][] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [one = "", other = ""] = [before[i], after[j]];
    if (one === other) {
      marked.push([" ", one]);
      i++;
      j++;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      marked.push(["-", one]);
      i++;
    } else {
      marked.push(["+", other]);
      j++;
    }
  }
  return [...marked, ...gone(before.slice(i)), ...come(after.slice(j))];
}

const mostComparisons = 250_000;

/** How many lines the rests from `i` and from `j` have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = common[i] ?? [];
      const below = common[i + 1] ?? [];
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return common;
}
