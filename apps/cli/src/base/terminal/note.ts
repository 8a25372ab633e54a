import { styleText } from "node:util";
import { oneLine, wrappedFor } from "./text.ts";

/** Writes a remark to stderr that is not a problem. */
export function note(text: string): void {
  const { stderr } = process;
  stderr.write(`${styleText("dim", wrappedFor(stderr, oneLine(text, 600)), { stream: stderr })}\n`);
}

/** Writes a command to go on with to stderr, on a line of its own: it can be copied whole, also where the terminal breaks it. */
export function noteCommand(command: string): void {
  const { stderr } = process;
  stderr.write(`${styleText("dim", oneLine(command, 600), { stream: stderr })}\n`);
}

/** Writes a remark that is worth saying once in a process, however often there is a reason. */
export function noteOnce(text: string): void {
  if (noted.has(text)) return;
  noted.add(text);
  note(text);
}

const noted = new Set<string>();
