import { createTwoFilesPatch } from "diff";

/**
 * What changed in a file, as a unified diff for people: at most about 200 lines, long lines cut. Never slow: where two
 * texts have too little in common, it says so instead.
 *
 * @param before undefined when the file is new
 */
export function unifiedDiff(file: string, before: string | undefined, after: string): string {
  if (before === undefined) return capped(createTwoFilesPatch("/dev/null", file, "", firstLines(after), "", "", TERSE));
  const patch = createTwoFilesPatch(file, file, before, after, "", "", { ...TERSE, ...BOUNDS });
  return patch === undefined ? `${file}: too much was changed to show it line by line\n` : capped(patch);
}

const MOST_LINES = 200;
const MOST_CHARACTERS = 500;
const TERSE = { context: 3, headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true } };
const BOUNDS = { maxEditLength: 1000, timeout: 200 };

/** One line more than is shown, so that the cut is noticed. */
function firstLines(text: string): string {
  let end = 0;
  for (let line = 0; line <= MOST_LINES; line += 1) {
    const next = text.indexOf("\n", end);
    if (next === -1) return text;
    end = next + 1;
  }
  return text.slice(0, end);
}

function capped(patch: string): string {
  const lines = patch.split("\n");
  const shown = lines.slice(0, MOST_LINES).map(cut).join("\n");
  return lines.length - 1 > MOST_LINES ? `${shown}\n… more lines are not shown\n` : shown;
}

function cut(line: string): string {
  if (line.length <= MOST_CHARACTERS) return line;
  // A cut through a surrogate pair leaves half a character, which is dropped.
  return `${line.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
