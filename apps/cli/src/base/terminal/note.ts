import { styleText } from "node:util";
import { oneLine } from "./text.ts";

/** Writes a remark to stderr that is not a problem. */
export function note(text: string): void {
  process.stderr.write(`${styleText("dim", oneLine(text, 600), { stream: process.stderr })}\n`);
}

/** Writes a remark that is worth saying once in a process, however often there is a reason. */
export function noteOnce(text: string): void {
  if (noted.has(text)) return;
  noted.add(text);
  note(text);
}

const noted = new Set<string>();
