import { styleText } from "node:util";
import type { RunDisplay } from "../show/run-display.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { askInPages, usualColumns } from "./ask-in-pages.ts";
import type { Asker, OfferedRule } from "./asker.ts";
import { exactPieces, rowsOf } from "./exact-text.ts";
import { questionRows } from "./question.ts";

/** What is typed for each of the offered rules. */
const ruleKeys = ["a", "b", "c"];

/** Asks at a terminal, in pages. `page` is the other output there, which pauses meanwhile. */
export function terminalAsker(terminal: Terminal, page: Pick<RunDisplay, "pause" | "resume">): Asker {
  return {
    // Ctrl-D ends the input.
    canAnswer: () => terminal.input.readable,
    async ask(request, offered) {
      page.pause();
      try {
        const stream = terminal.output as NodeJS.WriteStream;
        const columns = stream.columns || usualColumns;
        const rows = [...questionRows(request, columns, stream), ...ruleRows(offered, columns, stream)];
        const keys = ruleKeys.slice(0, offered.length);
        const prompt = `Allow it? [${["y/N", ...keys].join("/")}] `;
        const line = ((await askInPages(rows, prompt, terminal, request.signal)) ?? "").trim().toLowerCase();
        const rule = offered[keys.indexOf(line)];
        return rule ? { approved: true, rule } : { approved: line === "y" || line === "yes" };
      } finally {
        page.resume();
      }
    },
  };
}

/** `a = yes, and always: shell:git status (a rule in ~/.config/cogency/rules.json)` */
function ruleRows(offered: readonly OfferedRule[], columns: number, stream: NodeJS.WriteStream): string[] {
  return offered.flatMap(({ text, file }, index) =>
    rowsOf(exactPieces(`${ruleKeys[index]} = yes, and always: ${text} (a rule in ${file})`), columns - 1).map((row) =>
      styleText("dim", row, { stream }),
    ),
  );
}
