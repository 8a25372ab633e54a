import { createInterface } from "node:readline";
import { discardTyped, type Terminal } from "../base/terminal/terminal.ts";

/**
 * Shows the lines and asks a question, whether to delete if absent. Any answer but yes is a no, and so is the end of the input. Input that was
 * typed before the question is discarded.
 */
export async function isAgreed(lines: readonly string[], terminal: Terminal, question?: string): Promise<boolean> {
  const { input, output } = terminal;
  await discardTyped(terminal);
  const what = lines.length === 1 ? "it" : `these ${lines.length}`;
  output.write(`${lines.map((line) => `  ${line}\n`).join("")}${question ?? `Delete ${what} for good?`} [y/N] `);
  if (!input.readable) {
    output.write("\n");
    return false;
  }
  const reader = createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    const leave = () => {
      output.write("\n");
      resolve(false);
    };
    reader.once("close", leave);
    reader.once("line", (line) => {
      reader.off("close", leave).close();
      resolve(/^\s*y(es)?\s*$/i.test(line));
    });
  });
}
