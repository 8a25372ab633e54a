import type { CommandLine, JournalLine } from "../records.ts";

/** The commands of which the end was never noted, though a tree was kept before them: they run, or their process was killed. */
export function unendedCommands(lines: readonly JournalLine[], by?: string): (CommandLine & { tree: string })[] {
  const ended = new Set(lines.flatMap((line) => (line.kind === "ended" ? [line.command] : [])));
  return lines.flatMap((line) =>
    line.kind === "command" && line.tree !== undefined && !ended.has(line.id) && (by === undefined || line.by !== by)
      ? [{ ...line, tree: line.tree }]
      : [],
  );
}
