import { createTwoFilesPatch } from "diff";

/**
 * A unified diff for people: at most about 200 lines, or `most`, long lines cut. If comparing the texts would take too long, it says that
 * too much was changed.
 *
 * @param before undefined if the file is new
 */
export function unifiedDiff(file: string, before: string | undefined, after: string, most = mostLines): string {
  if (before === undefined)
    return capped(createTwoFilesPatch("/dev/null", file, "", firstLines(after, most), "", "", terseFormat), most);
  const patch = createTwoFilesPatch(file, file, before, after, "", "", { ...terseFormat, ...diffBounds });
  return patch === undefined ? `${file}: too much was changed to show it line by line\n` : capped(patch, most);
}

const mostLines = 200;
const mostCharacters = 500;
const terseFormat = {
  context: 3,
  headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
};
const diffBounds = { maxEditLength: 1000, timeout: 200 };

/** Returns one line more than is shown, so that `capped` can tell that lines are missing. */
function firstLines(text: string, most: number): string {
  let end = 0;
  for (let line = 0; line <= most; line += 1) {
    const next = text.indexOf("\n", end);
    if (next === -1) return text;
    end = next + 1;
  }
  return text.slice(0, end);
}

function capped(patch: string, most: number): string {
  const lines = patch.split("\n");
  const shown = lines.slice(0, most).map(cut).join("\n");
  return lines.length - 1 > most ? `${shown}\n… more lines are not shown\n` : shown;
}

function cut(line: string): string {
  if (line.length <= mostCharacters) return line;
  // A cut through a surrogate pair leaves half a character, which is dropped.
  return `${line.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
