import { createInterface } from "node:readline";
import { discardTyped, type Terminal } from "../../base/terminal/terminal.ts";
import { columnsOf } from "../../base/terminal/text.ts";

/**
 * Shows rows and then a prompt, and resolves with the line that is typed. Rows that do not fit on the screen come in pages:
 * Enter shows the next page, `r` all the rest, and the prompt follows the last row. Input that was typed before a page
 * appeared is discarded.
 *
 * @returns undefined if the input ends, the signal aborts, or `n` is typed before the last row
 */
export async function askInPages(
  rows: readonly string[],
  prompt: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { output } = terminal;
  let shown = 0;
  for (;;) {
    await discardTyped(terminal);
    if (signal.aborted || !terminal.input.readable) return undefined;
    const end = pageEnd(rows, shown, prompt, output);
    output.write(
      rows
        .slice(shown, end)
        .map((row) => `${row}\n`)
        .join(""),
    );
    shown = end;
    if (shown === rows.length) return answerTo(prompt, terminal, signal);
    const line = await moreOf(rows.length - shown, terminal, signal);
    if (line === undefined || /^\s*no?\s*$/i.test(line)) return undefined;
    if (!/^\s*r(est)?\s*$/i.test(line)) continue;
    output.write(
      rows
        .slice(shown)
        .map((row) => `${row}\n`)
        .join(""),
    );
    shown = rows.length;
  }
}

/** The size of a terminal that does not report one: the smallest common size. */
export const usualColumns = 80;
const usualRows = 24;

function pageEnd(rows: readonly string[], from: number, prompt: string, output: Terminal["output"]): number {
  const columns = output.columns || usualColumns;
  const height = Math.max(6, output.rows || usualRows);
  const taken = (text: string) => Math.ceil((columnsOf(text) + 1) / columns);
  const left = rows.length - from;
  if (left <= height - taken(prompt)) return rows.length;
  return from + Math.max(1, height - taken(morePrompt(left)));
}

function morePrompt(count: number): string {
  return `… ${count} more [Enter = next page, r = all the rest, n = no; y comes after that] `;
}

/** Resolves with an answer to the prompt between two pages. Asks again for any other line, because a yes does not count yet. */
async function moreOf(count: number, terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const line = await answerTo(morePrompt(count), terminal, signal);
    if (line === undefined || /^\s*(r|rest|n|no)?\s*$/i.test(line)) return line;
    await discardTyped(terminal);
    if (!terminal.input.readable) return undefined;
  }
}

function answerTo(prompt: string, { input, output }: Terminal, signal: AbortSignal): Promise<string | undefined> {
  output.write(prompt);
  // With `terminal: false` the system edits the line, and Ctrl-C stays a signal.
  const lines = createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    const answer = (line: string | undefined) => {
      signal.removeEventListener("abort", leave);
      lines.off("close", leave).close();
      if (line === undefined) output.write("\n");
      resolve(line);
    };
    const leave = () => answer(undefined);
    lines.once("line", answer);
    lines.once("close", leave);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
  });
}
