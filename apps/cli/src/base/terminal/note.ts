import { styleText } from "node:util";
import { oneLine, wrappedFor } from "./text.ts";

/** Writes a remark to stderr that is not a problem. */
export function note(text: string): void {
  const { stderr } = process;
  stderr.write(`${styleText("dim", wrappedFor(stderr, oneLine(text, 600)), { stream: stderr })}\n`);
}

/** Writes a remark that is worth saying once in a process, however often there is a reason. */
export function noteOnce(text: string): void {
  if (noted.has(text)) return;
  noted.add(text);
  note(text);
}

const noted = new Set<string>();
