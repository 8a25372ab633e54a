import { styleText } from "node:util";
import { oneLine } from "./text.ts";

/** Writes a remark to stderr that is not a problem. */
export function note(text: string): void {
  process.stderr.write(`${styleText("dim", oneLine(text, 600), { stream: process.stderr })}\n`);
}
