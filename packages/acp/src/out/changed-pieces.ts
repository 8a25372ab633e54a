import type { Diff } from "@agentclientprotocol/sdk";

/**
 * The pieces of a file that a unified diff changes, with the lines around them.
 *
 * @param path absolute
 * @returns undefined for a diff that does not show them whole, such as one whose end or whose long lines are left out
 */
export function changedPieces(path: string, diff: string): Diff[] | undefined {
  const lines = diff.split("\n");
  const first = lines.findIndex((line) => hunkHead.test(line));
  if (first === -1) return undefined;
  const isNew = lines.slice(0, first).includes("--- /dev/null");
  const pieces: Diff[] = [];
  let at = first;
  for (let line = lines[at]; line !== undefined && line !== ""; line = lines[at]) {
    const hunk = readHunk(lines, at);
    if (!hunk) return undefined;
    pieces.push({ path, oldText: isNew ? null : hunk.old.join("\n"), newText: hunk.now.join("\n") });
    at = hunk.end;
  }
  return pieces;
}

interface Hunk {
  readonly old: string[];
  readonly now: string[];
  /** The line after it. */
  readonly end: number;
}

function readHunk(lines: readonly string[], start: number): Hunk | undefined {
  const [head, olds = "1", news = "1"] = hunkHead.exec(lines[start] ?? "") ?? [];
  if (head === undefined) return undefined;
  const old: string[] = [];
  const now: string[] = [];
  let at = start + 1;
  for (; old.length < Number(olds) || now.length < Number(news) || lines[at]?.startsWith("\\"); at++) {
    const line = lines[at];
    if (line === undefined || isCut(line)) return undefined;
    const [sign] = line;
    if (sign === "\\") continue;
    if (sign !== " " && sign !== "-" && sign !== "+") return undefined;
    if (sign !== "+") old.push(line.slice(1));
    if (sign !== "-") now.push(line.slice(1));
  }
  return { old, now, end: at };
}

/** How many lines the hunk has before and after, if not one. */
const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Whether the tool has left out the end of the line. The tools of `@cogency/toolbox` do after 500 characters. */
function isCut(line: string): boolean {
  return line.length >= 500 && line.endsWith("…");
}
