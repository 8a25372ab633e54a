import type { JournalLine } from "./records.ts";

/**
 * The lines of a journal about what these calls did. An undo belongs to them up to the first change of another call: after that it may
 * have restored what the other call had changed.
 */
export function linesOfCalls(lines: readonly JournalLine[], calls: ReadonlySet<string>): JournalLine[] {
  const chosen = new Set<string>();
  let isWhole = true;
  for (const line of lines) {
    if (line.kind !== "change" && line.kind !== "command") continue;
    const isUndo = line.kind === "change" && line.tool === "undo";
    if (calls.has(line.call) || (isUndo && isWhole)) chosen.add(line.id);
    else if (!isUndo) isWhole = false;
  }
  return lines.filter((line) => chosen.has(idOf(line)));
}

/** The id of the change or command that a line is about. */
function idOf(line: JournalLine): string {
  switch (line.kind) {
    case "change":
    case "command":
      return line.id;
    case "done":
    case "discarded":
      return line.change;
    case "ended":
      return line.command;
  }
}
