import { styleText } from "node:util";
import { oneLine } from "./text.ts";

/** Say on stderr what is good to know and no problem. */
export function note(text: string): void {
  process.stderr.write(`${styleText("dim", oneLine(text, 600), { stream: process.stderr })}\n`);
}
