import { createInterface } from "node:readline";
import type { Terminal } from "../approval.ts";

/** Asks whether what the lines tell may be deleted. Anything but yes is a no, and so is the end of the input. */
export function isAgreed(lines: readonly string[], { input, output }: Terminal): Promise<boolean> {
  const what = lines.length === 1 ? "it" : `these ${lines.length}`;
  output.write(`${lines.map((line) => `  ${line}\n`).join("")}Delete ${what} for good? [y/N] `);
  const reader = createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    reader.once("line", (line) => {
      resolve(/^\s*y(es)?\s*$/i.test(line));
      reader.close();
    });
    reader.once("close", () => resolve(false));
  });
}
