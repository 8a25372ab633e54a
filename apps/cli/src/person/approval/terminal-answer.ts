import type { AnswerRequest } from "@cogency/tools";
import type { Terminal } from "../../base/terminal/terminal.ts";
import { oneLine, visible, wordWrapped } from "../../base/terminal/text.ts";
import type { RunDisplay } from "../show/run-display.ts";
import { askInPages, usualColumns } from "./ask-in-pages.ts";

/**
 * Puts questions of tools at a terminal, in pages: the answer is a line, JSON where a schema asks for more than a text.
 *
 * @param page the other output there, which pauses meanwhile
 */
export function terminalAnswer(
  terminal: Terminal,
  page: Pick<RunDisplay, "pause" | "resume">,
): (request: AnswerRequest) => Promise<unknown> {
  return async ({ call, message, schema, problem, signal }) => {
    page.pause();
    try {
      const columns = terminal.output.columns || usualColumns;
      const lines = [
        `${oneLine(call.name, 64)} asks`,
        ...visible(message).split("\n"),
        ...(schema === undefined ? [] : [`An answer fits ${JSON.stringify(schema)}`]),
        ...(problem === undefined ? [] : [`Not that: ${visible(problem)}`]),
      ];
      const rows = lines.flatMap((line) => wordWrapped(line, columns - 1));
      const line = await askInPages(rows, "Your answer: ", terminal, signal);
      if (line === undefined) throw new Error("the user did not want to answer.");
      return schema === undefined ? line : readLine(line);
    } finally {
      page.resume();
    }
  };
}

function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
