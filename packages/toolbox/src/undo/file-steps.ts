import type { FileState } from "./file-state.ts";
import type { ChangedFile, RanCommand, UndoEntry } from "./history.ts";
import type { JournalLine } from "./records.ts";

/** What happened to one file from a point on. */
export interface FileSteps {
  root: string;
  access: "project" | "system";
  file: string;
  /** `commandSince`: a command changed the file, or may have, after this step and before the next, and nothing of it is kept. */
  steps: { step: ChangedFile; commandSince: boolean }[];
}

/**
 * Puts the entries from a point on together by file. Things that went on at the same time are one step of a file that they all
 * changed: what commands changed goes back to before the first of them, and what a tool changed meanwhile is a part of it.
 *
 * @param lines the whole journal, which says what overlaps
 */
export function fileSteps(all: readonly UndoEntry[], from: number, lines: readonly JournalLine[]): FileSteps[] {
  const spans = spansOf(lines);
  const joined = joinedChanges(all, spans);
  const entries = all.slice(from);
  const commands = entries.filter((entry) => entry.kind === "command");
  const files = new Map<string, FileSteps & { added: Set<Joined> }>();
  const add = ({ root, access }: UndoEntry, step: ChangedFile, of?: Joined) => {
    const key = keyOf(root, step.file);
    const known = files.get(key) ?? { root, access, file: step.file, steps: [], added: new Set<Joined>() };
    files.set(key, known);
    // An undo may have had another access than the call that it took back.
    if (access === "system") known.access = access;
    if (of !== undefined && known.added.has(of)) return;
    if (of !== undefined) known.added.add(of);
    known.steps.push({
      step: of === undefined ? step : { ...step, before: of.before, after: of.after },
      commandSince: false,
    });
  };
  for (const entry of entries) {
    if (entry.kind === "change") {
      const at = spans.get(entry.id)?.begin ?? 0;
      const during = commands.filter(({ id, root }) => root === entry.root && isWithin(at, spans.get(id)));
      const isPart = (file: string) => during.some((command) => fileNames(command).has(file));
      for (const step of entry.files) if (!isPart(step.file)) add(entry, step);
      continue;
    }
    for (const step of entry.files) add(entry, step, joined.get(entry.id)?.get(step.file));
    const own = fileNames(entry);
    const notKept = new Set(entry.notKept);
    for (const { file, steps } of files.values()) {
      const last = steps.at(-1);
      if (last && !own.has(file) && (!entry.isComplete || notKept.has(file))) last.commandSince = true;
    }
  }
  return [...files.values()].map(({ added: _, ...steps }) => steps);
}

/** Where a line of the journal begins something, and where it says that it ended. */
interface Span {
  begin: number;
  end: number;
}

/** What several commands did to one file. */
interface Joined {
  before: FileState;
  after: FileState;
}

function spansOf(lines: readonly JournalLine[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const [index, line] of lines.entries()) {
    if (line.kind === "change") spans.set(line.id, { begin: index, end: index });
    else if (line.kind === "command") spans.set(line.id, { begin: index, end: Number.POSITIVE_INFINITY });
    else if (line.kind === "ended") {
      const span = spans.get(line.command);
      if (span) span.end = index;
    }
  }
  return spans;
}

function isWithin(at: number, span: Span | undefined): boolean {
  return span !== undefined && span.begin < at && at < span.end;
}

/** By command and file: what it did to the file together with the commands that ran at the same time and changed the file too. */
function joinedChanges(all: readonly UndoEntry[], spans: ReadonlyMap<string, Span>): Map<string, Map<string, Joined>> {
  const joined = new Map<string, Map<string, Joined>>();
  const open = new Map<string, Joined & { end: number }>();
  for (const entry of all) {
    const span = spans.get(entry.id);
    if (entry.kind !== "command" || span === undefined) continue;
    const files = new Map<string, Joined>();
    for (const { file, before, after } of entry.files) {
      const key = keyOf(entry.root, file);
      const last = open.get(key);
      if (last !== undefined && span.begin < last.end) {
        if (span.end > last.end) Object.assign(last, { after, end: span.end });
        files.set(file, last);
      } else {
        const first = { before, after, end: span.end };
        open.set(key, first);
        files.set(file, first);
      }
    }
    joined.set(entry.id, files);
  }
  return joined;
}

const names = new WeakMap<RanCommand, ReadonlySet<string>>();

function fileNames(command: RanCommand): ReadonlySet<string> {
  const known = names.get(command) ?? new Set(command.files.map(({ file }) => file));
  names.set(command, known);
  return known;
}

function keyOf(root: string, file: string): string {
  return JSON.stringify([root, file]);
}
