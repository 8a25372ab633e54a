/**
 * The lines of what a failed command printed that tell most, about so many: the first ones that say what failed, and the last ones. A
 * number stands for as many lines that are left out.
 */
export function tellingLines(text: string, most: number): (string | number)[] {
  const lines = text.split("\n");
  // What says that one line is left out takes as much room as that one.
  if (lines.length <= most + 1) return lines;
  const picked = new Set(failureLines(lines).slice(0, Math.floor(most / 2)));
  for (let at = lines.length - 1; picked.size < most; at--) picked.add(at);
  const shown = [...picked].sort((one, other) => one - other);
  return shown.flatMap((at, index) => {
    const hidden = at - (shown[index - 1] ?? -1) - 1;
    return hidden > 0 ? [hidden, lines[at] ?? ""] : [lines[at] ?? ""];
  });
}

/** The line that tells most: the first one that says what failed, else the last one that holds a word; the last one where none does. */
export function mostTellingLine(text: string): string {
  const lines = text.split("\n");
  const [failure] = failureLines(lines);
  if (failure !== undefined) return lines[failure]?.trim() ?? "";
  return (lines.findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines.at(-1) ?? "").trim();
}

/** Where the lines are that say what failed, as test runners, compilers and interpreters write it; none that says the same again. */
function failureLines(lines: readonly string[]): number[] {
  const said = new Set<string>();
  return lines.flatMap((line, at) => {
    if (line.length > longest || !failure.test(line) || heading.test(line)) return [];
    const words = line.replace(/[\d.]+ ?m?s\b/g, "").replace(/[^\p{L}\p{N}]+/gu, " ");
    if (said.has(words)) return [];
    said.add(words);
    return [at];
  });
}

/** Characters of a line: a longer one is data. */
const longest = 1000;

const failure = new RegExp(
  [
    // The marks of test runners: node, vitest, jest, mocha, pytest, go, cargo, TAP.
    String.raw`^\s*(?:✖|✗|✘|×|❌|●) ?\S`,
    String.raw`^\s*(?:not ok|FAIL|FAILED|ERROR|--- FAIL:)\s`,
    String.raw`\.\.\. FAILED$`,
    String.raw`^E {2,}\S`,
    String.raw`^\s*\d+\) \S.*:?$`,
    // The errors of compilers, linters, interpreters and programs.
    String.raw`\b(?:[A-Za-z]*(?:Error|Exception)|error|fatal|panic)(?: ?\[\w+\]| [A-Z]+\d+)?: *[\p{L}\p{N}"'\x60(]`,
    String.raw`\bpanicked at\b`,
    String.raw`^\s*\d+:\d+\s+error\b`,
    ": (?:command not found|No such file or directory|Permission denied)$",
  ].join("|"),
  "u",
);

/** `✖ failing tests:` */
const heading = /^\W*\w+ (?:tests?|suites?):?\s*$/i;
