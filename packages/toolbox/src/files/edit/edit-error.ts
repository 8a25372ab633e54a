import { EditError } from "../../errors.ts";
import type { FailedEdit } from "./apply-edits.ts";
import { nearPlaces } from "./near-places.ts";

/** The error for edits that cannot be applied: for each the reason and the nearest places. @param count of all edits */
export function editError(asked: string, count: number, failures: readonly FailedEdit[]): EditError {
  const explanations: string[] = [];
  let read = 0;
  const detailed = failures.map((failure, index) => {
    // The search for near places reads the whole text, and a longer message does not help the model.
    const isExplained = index < mostExplained && (index === 0 || read + failure.text.length <= mostRead);
    if (isExplained && failure.reason === "not_found") read += failure.text.length;
    const { message, lines } = isExplained ? explain(failure) : { message: shortReasons[failure.reason], lines: [] };
    explanations.push(`Edit ${failure.edit}: ${message}`);
    return { edit: failure.edit, reason: failure.reason, lines: [...failure.lines, ...lines] };
  });
  const which = `${failures.length} of ${count} ${count === 1 ? "edit" : "edits"}`;
  const message = `Nothing was written: ${which} cannot be applied to "${asked}".\n${explanations.join("\n")}`;
  return new EditError(asked, message, detailed);
}

const mostExplained = 10;
/** In characters. Some hundredths of a second for each million. */
const mostRead = 2 * 1024 * 1024;

const shortReasons: Record<FailedEdit["reason"], string> = {
  not_found: '"old" was not found.',
  ambiguous: '"old" occurs several times.',
  no_change: '"old" and "new" are the same.',
};

function explain({ reason, lines, hasMore, old, text }: FailedEdit): { message: string; lines: number[] } {
  switch (reason) {
    case "no_change":
      return { message: shortReasons.no_change, lines: [] };
    case "ambiguous": {
      const where = `line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}${hasMore ? " and more" : ""}`;
      const advice = 'Give more of the text around the one you mean, or set "all": true.';
      return {
        message: `"old" occurs ${hasMore ? "more than 20" : lines.length} times, on ${where}. ${advice}`,
        lines: [],
      };
    }
    case "not_found": {
      const near = nearPlaces(text, old, 3);
      const places = near.map(({ line, text, difference }) => {
        const only = difference === undefined ? "" : `, which differs only in ${difference}`;
        return `line ${line}${only}:\n${excerpt(text)}`;
      });
      const message =
        places.length === 0
          ? `"old" was not found, nor anything like it. Read the file to see what is there.`
          : `"old" was not found. Nearest is ${places.join("\nthen ")}`;
      return { message, lines: near.map(({ line }) => line) };
    }
  }
}

const mostLines = 12;
const mostCharacters = 240;

function excerpt(text: string): string {
  const lines = text.split("\n");
  const shown = lines.slice(0, mostLines).map((line) => `  ${cut(line.replace(/\r$/, ""))}`);
  if (lines.length > mostLines) shown.push(`  … ${lines.length - mostLines} more lines`);
  return shown.join("\n");
}

function cut(line: string): string {
  if (line.length <= mostCharacters) return line;
  return `${line.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
