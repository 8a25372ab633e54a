import { styleText } from "node:util";
import type { Json } from "@cogency/protocol";
import { clip, counted, fitted, visible, widthOr } from "../../base/terminal/text.ts";

/** The unified diff in a tool's progress, `{ file, diff }`. */
export function diffOf(update: Json): string | undefined {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return undefined;
  return typeof update.diff === "string" ? update.diff : undefined;
}

/** The changes of one call as a person reads them: about 40 lines, and how many more there are. */
export function diffLines(diffs: readonly string[], stream: NodeJS.WriteStream): string[] {
  const lines = diffs.flatMap(bodyOf);
  const hidden = lines.length > most + 1 ? lines.length - most : 0;
  const shown = lines.slice(0, lines.length - hidden).map((line) => coloured(line, stream));
  if (hidden === 0) return shown;
  // The tool has already cut a long diff, which then ends in a line that says so.
  const more = lines.some((line) => line.startsWith("…")) ? "more than " : "";
  return [...shown, coloured(`… ${more}${counted(hidden, "more line")}`, stream)];
}

const most = 40;

/** Replaces the two lines of a header by one, the name of the file. */
function bodyOf(diff: string): string[] {
  const lines = diff.trimEnd().split("\n");
  const [before, after] = lines;
  if (!before?.startsWith("--- ") || !after?.startsWith("+++ ")) return lines;
  return [`@ ${after.slice(4)}`, ...lines.slice(2)];
}

function coloured(line: string, stream: NodeJS.WriteStream): string {
  return styled(line, `    ${clip(visible(line), widthOr(stream, 160) - 4)}`, stream);
}

/** A line of a diff in at most so many columns. */
export function changeRow(line: string, columns: number, stream: NodeJS.WriteStream): string {
  return styled(line, fitted(visible(line), columns), stream);
}

function styled(line: string, text: string, stream: NodeJS.WriteStream): string {
  const style = styles[line.charAt(0)];
  return style ? styleText(style, text, { stream }) : text;
}

const styles: Record<string, "green" | "red" | "dim"> = {
  "+": "green",
  "-": "red",
  "@": "dim",
  "\\": "dim",
  "…": "dim",
};
