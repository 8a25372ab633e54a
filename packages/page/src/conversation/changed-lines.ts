import type { JsonObject } from "@cogency/protocol";
import { diffLines } from "diff";

/** A line of a change: kept, put in, or taken out. */
export interface ChangedLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** A change that a call makes to a file, as its arguments give it. */
export interface FileChange {
  readonly title: string;
  readonly lines: readonly ChangedLine[];
}

/**
 * The changes that the arguments of a tool of files describe, and the names of those arguments. Undefined for other calls, and
 * if the arguments have another shape.
 */
export function fileChanges(name: string, args: JsonObject): { changes: FileChange[]; told: string[] } | undefined {
  const { file, content, edits } = args;
  if (typeof file !== "string") return undefined;
  if (name === "write" && typeof content === "string") {
    const lines = linesOf(content).map((text) => ({ sign: "+", text }) as const);
    return { changes: [{ title: file, lines }], told: ["file", "content"] };
  }
  if (name !== "edit" || !Array.isArray(edits)) return undefined;
  const changes: FileChange[] = [];
  for (const edit of edits) {
    const { old, new: text, all, ...rest } = Object(edit);
    if (typeof old !== "string" || typeof text !== "string" || Object.keys(rest).length > 0) return undefined;
    changes.push({ title: all === true ? `${file}, every occurrence` : file, lines: changedLines(old, text) });
  }
  return { changes, told: ["file", "edits"] };
}

/** The lines of two texts, the old ones before the new ones. */
export function changedLines(before: string, after: string): ChangedLine[] {
  // Comparing takes long where nearly everything differs.
  if (before.length + after.length > mostCompared)
    return [
      ...linesOf(before).map((text) => ({ sign: "-", text }) as const),
      ...linesOf(after).map((text) => ({ sign: "+", text }) as const),
    ];
  return diffLines(before, after, { ignoreNewlineAtEof: true }).flatMap(({ value, added, removed }) =>
    linesOf(value).map((text) => ({ sign: added ? "+" : removed ? "-" : " ", text }) as const),
  );
}

const mostCompared = 100_000;

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
