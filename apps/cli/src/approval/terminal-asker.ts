import type { RunDisplay } from "../show/run-display.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { askInPages, usualColumns } from "./ask-in-pages.ts";
import type { Asker } from "./asker.ts";
import { exact } from "./exact-text.ts";
import { questionRows } from "./question.ts";

/** Asks at a terminal, in pages. `page` is the other output there, which pauses meanwhile. */
export function terminalAsker(terminal: Terminal, page: Pick<RunDisplay, "pause" | "resume">): Asker {
  return {
    // Ctrl-D ends the input.
    canAnswer: () => terminal.input.readable,
    async ask(request, canBeAlways) {
      page.pause();
      try {
        const stream = terminal.output as NodeJS.WriteStream;
        const rows = questionRows(request, stream.columns || usualColumns, stream);
        const choice = canBeAlways ? `y/N, a = always allow ${exact(request.call.name)} in this run` : "y/N";
        const line = (await askInPages(rows, `Allow it? [${choice}] `, terminal, request.signal)) ?? "";
        const always = canBeAlways && /^\s*a(lways)?\s*$/i.test(line);
        return { approved: always || /^\s*y(es)?\s*$/i.test(line), always };
      } finally {
        page.resume();
      }
    },
  };
}
