import { styleText } from "node:util";
import { exactPieces, rowsOf } from "../../base/terminal/exact-text.ts";
import type { Terminal } from "../../base/terminal/terminal.ts";
import type { RunDisplay } from "../show/run-display.ts";
import { askInPages, usualColumns } from "./ask-in-pages.ts";
import type { Asker, OfferedRule } from "./asker.ts";
import { lettersOf, noWords, refusal, ruleKeys, ruleWords, termWords, typedAnswer, yesWords } from "./choices.ts";
import { questionRows } from "./question.ts";

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
        const rows = [...questionRows(request, columns, stream), ...choiceRows(offered, columns, stream)];
        const keys = ruleKeys.slice(0, offered.length).flatMap(({ session, always }) => [session, always]);
        const prompt = `Allow it? [${["y/N", ...keys].join("/")}] `;
        const line = (await askInPages(rows, prompt, terminal, request.signal)) ?? "";
        const answer = typedAnswer(line, offered) ?? { approved: false, why: "" };
        return answer.approved ? answer : { approved: false, reason: refusal(answer.why) };
      } finally {
        page.resume();
      }
    },
  };
}

/** `s / a = yes, this session / always: shell:git status`, and below the rules what the two words mean. */
function choiceRows(offered: readonly OfferedRule[], columns: number, stream: NodeJS.WriteStream): string[] {
  const choices = [
    `y = ${yesWords}`,
    ...offered.slice(0, ruleKeys.length).map(({ text }, index) => `${lettersOf(index)} = ${ruleWords} ${text}`),
    ...offered.slice(0, 1).map((rule) => `(${termWords(rule)})`),
    `n = ${noWords}`,
  ];
  return choices.flatMap((choice) =>
    rowsOf(exactPieces(choice), columns - 1).map((row) => styleText("dim", row, { stream })),
  );
}
