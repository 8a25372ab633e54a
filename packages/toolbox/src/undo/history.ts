import type { FileState } from "./file-state.ts";
import type { ChangeLine, CommandLine, JournalLine } from "./records.ts";

/** What one call did to files, or an earlier undo. */
export type UndoEntry = KeptChange | RanCommand;

interface EntryPlace {
  id: string;
  /** The id of the call; of an undo, the id that it returned. */
  call: string;
  /** When it began: Unix time in seconds. */
  time: number;
  /** The real path of the folder where relative paths begin. */
  root: string;
  access: "project" | "system";
}

/** Files that a tool or an undo changed. */
export interface KeptChange extends EntryPlace {
  kind: "change";
  /** The name of the tool, or `undo`. */
  tool: string;
  files: readonly ChangedFile[];
}

export interface ChangedFile {
  /** Relative to the root, with `/` between names; absolute outside of it. */
  file: string;
  before: FileState;
  after: FileState;
  /** The folders that were made for it, the outermost first. */
  folders: readonly string[];
  /** False if the process ended before it could say that the change was made. */
  isDone: boolean;
}

/** A command that ran. */
export interface RanCommand extends EntryPlace {
  kind: "command";
  /** The files, links and folders that changed while it ran. */
  files: readonly ChangedFile[];
  /** Files that changed or may have, of which nothing was kept. */
  notKept: readonly string[];
  /** Files and folders that git ignores, of which nothing is kept: whether they changed is not known. */
  ignored: readonly string[];
  /** False if more may have changed: the tree is too large to look at, or the process of the command was killed. */
  isComplete: boolean;
}

/** Puts the lines of a journal together, in the order in which things began. Changes that were not made are left out. */
export function historyOf(lines: readonly JournalLine[]): UndoEntry[] {
  const done = new Map<string, Set<string> | "all">();
  const discarded = new Map<string, Set<string> | "all">();
  const ended = new Map<string, Extract<JournalLine, { kind: "ended" }>>();
  for (const line of lines) {
    if (line.kind === "done") add(done, line.change, line.files);
    if (line.kind === "discarded") add(discarded, line.change, line.files);
    if (line.kind === "ended") ended.set(line.command, line);
  }
  const has = (of: typeof done, change: string, file: string) => {
    const files = of.get(change);
    return files === "all" || files?.has(file) === true;
  };
  const changeOf = ({ files, ...place }: ChangeLine): UndoEntry[] => {
    const made = files.filter(({ file }) => !has(discarded, place.id, file));
    const changed = made.map(({ folders = [], ...file }) => ({
      ...file,
      folders,
      isDone: has(done, place.id, file.file),
    }));
    return made.length === 0 ? [] : [{ ...place, files: changed }];
  };
  const commandOf = (line: CommandLine): UndoEntry[] => {
    const { tree: _, by: __, ...place } = line;
    const { files: notKept = [], changes = [], ignored = [], isComplete = false } = ended.get(line.id) ?? {};
    if (changes.length + notKept.length === 0 && isComplete) return [];
    const files = changes.map((change) => ({ ...change, folders: [], isDone: true }));
    return [{ ...place, files, notKept, ignored, isComplete }];
  };
  return lines.flatMap((line) =>
    line.kind === "change" ? changeOf(line) : line.kind === "command" ? commandOf(line) : [],
  );
}

function add(to: Map<string, Set<string> | "all">, change: string, files: readonly string[] | undefined): void {
  const known = to.get(change);
  if (files === undefined || known === "all") to.set(change, "all");
  else to.set(change, new Set([...(known ?? []), ...files]));
}
