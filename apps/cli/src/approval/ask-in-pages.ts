import { createInterface } from "node:readline";
import { discardTyped } from "../terminal/discard-typed.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { columnsOf } from "../terminal/text.ts";

/**
 * Shows rows and then a prompt, and resolves with the line that is typed behind it. Rows that do not fit on the screen come
 * in pages: Enter shows the next page, `r` all the rest, and the prompt comes when all of them were shown. What was typed
 * before a page could be seen is thrown away.
 *
 * @returns undefined when the input ends, the signal aborts, or `n` is typed before all was shown
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

/** Terminals that do not tell their size are taken to be the smallest that is common. */
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

/** What is typed to go on; anything else is asked again, as a yes to what was not seen is none. */
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
  // Not a terminal to readline: the line stays in the hands of the system, where Ctrl-C is a signal like any other time.
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
