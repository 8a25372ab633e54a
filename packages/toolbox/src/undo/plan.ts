import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { ToolboxError } from "../errors.ts";
import { changeablePath } from "../files/confine/changeable-path.ts";
import { withFolder } from "../files/confine/confined-folder.ts";
import { type Access, openRoot, type Root } from "../files/confine/root.ts";
import { sandboxPath } from "../files/confine/sandbox-folder.ts";
import type { CopyFolder } from "./copy-folder.ts";
import { type FileState, isSame, type KeptFileState, stateAt } from "./file-state.ts";
import type { ChangedFile, RanCommand, UndoEntry } from "./history.ts";
import { walkBack } from "./walk-back.ts";

/** What an undo would do, and what it would leave. */
export interface UndoPlan {
  restore: readonly PlannedFile[];
  left: readonly LeftFile[];
  /** The commands that ran since. What they changed is not undone. */
  commands: readonly RanCommand[];
  /**
   * How many lines of the journal cannot be read, or were not signed by this installation, such as those of versions that signed
   * none. What they recorded is not undone.
   */
  unreadable: number;
}

/** A file that can be restored: it is as the agent left it. */
export interface PlannedFile {
  /** The real path of its root. */
  root: string;
  /** Relative to its root, with `/` between names; absolute outside of it. */
  file: string;
  /** `change`: it gets its old content. `remove`: it was created. `create`: it was deleted, by an earlier undo. */
  action: "change" | "remove" | "create";
}

/** A file that is left as it is. */
export interface LeftFile extends Omit<PlannedFile, "action"> {
  /**
   * - `changed`: a person or another program changed it after the agent did
   * - `command`: it changed after the agent changed it, and a command of the agent ran then
   * - `dropped`: its old content is not kept any more, because the copies have a limit
   * - `too_large`: its old content was too large to be kept
   * - `damaged`: the copy of its old content is not what was kept
   * - `root_gone`: the folder that the agent worked in is not there, or a link stands in its place
   * - `refused`: the path leads elsewhere now, or the system refuses
   */
  reason: "changed" | "command" | "dropped" | "too_large" | "damaged" | "root_gone" | "refused";
  /** A clause that a person can read, such as "was changed since". */
  message: string;
}

/** A planned file with what is needed to restore it. */
export interface Restorable extends PlannedFile {
  opened: Root;
  real: string;
  now: FileState;
  target: { kind: "missing" } | KeptFileState;
  /** The bytes of the target. */
  bytes: Uint8Array;
  /** The real paths of folders that were made for it, the outermost first. They are removed if it is removed and they are empty. */
  folders: readonly string[];
}

export interface PlanOptions {
  /** Absolute paths that nothing may be restored to; see `RootOptions.guarded`. */
  guarded: readonly string[];
  /** The folder that is used instead of the one that the agent worked in, which has moved. */
  root?: string | undefined;
  /** The widest access to restore with. */
  access?: Access | undefined;
  /** The largest file that is compared. */
  most: number;
}

export async function planUndo(
  entries: readonly UndoEntry[],
  copies: CopyFolder,
  options: PlanOptions,
): Promise<{ restorable: Restorable[]; left: LeftFile[] }> {
  const restorable: Restorable[] = [];
  const left: LeftFile[] = [];
  const roots = new Map<string, Promise<Root | ToolboxError>>();
  for (const { root, access, file, steps } of filesOf(entries)) {
    const place = `${access} ${root}`;
    const opening = roots.get(place) ?? openFor(root, access, options);
    roots.set(place, opening);
    const opened = await opening;
    const leave = (reason: LeftFile["reason"], message: string) => left.push({ root, file, reason, message });
    if (opened instanceof ToolboxError) {
      if (opened.code === "path_outside_root") leave("refused", whyLeft(opened));
      else
        leave(opened.code === "out_of_reach" ? "refused" : "root_gone", `is in ${root}, which is not there any more`);
      continue;
    }
    const found = await find(opened, file, options.most);
    if (found instanceof ToolboxError) {
      leave("refused", whyLeft(found));
      continue;
    }
    const walked = walkBack(
      found.now,
      steps.map(({ step }) => step),
    );
    if (walked.kind === "too_large") {
      leave("too_large", "was too large for its old content to be kept");
    } else if (walked.kind === "changed") {
      const command = steps[walked.step]?.commandSince === true;
      leave(command ? "command" : "changed", changed(found.now, command));
    } else if (!isSame(walked.target, found.now) && walked.target.kind !== "other") {
      const copy = walked.target.kind === "file" ? await copies.get(walked.target.hash ?? "") : noBytes;
      if (copy === undefined) leave("dropped", "has an old content that is not kept any more");
      else if (copy === "damaged") leave("damaged", "has an old content whose copy is damaged");
      else {
        const folders = steps.flatMap(({ step }) => step.folders).map((folder) => resolve(opened.base, folder));
        const action = actionOf(found.now, walked.target);
        restorable.push({
          root: opened.base,
          file,
          action,
          opened,
          ...found,
          target: walked.target,
          bytes: copy,
          folders,
        });
      }
    }
  }
  return { restorable, left };
}

const noBytes = new Uint8Array();

interface FileSteps {
  root: string;
  access: "project" | "system";
  file: string;
  /** `commandSince`: a command changed the file, or may have, after this step and before the next. */
  steps: { step: ChangedFile; commandSince: boolean }[];
}

function filesOf(entries: readonly UndoEntry[]): FileSteps[] {
  const files = new Map<string, FileSteps>();
  for (const entry of entries) {
    const { root, access } = entry;
    if (entry.kind === "change") {
      for (const step of entry.files) {
        const key = JSON.stringify([root, step.file]);
        const known = files.get(key) ?? { root, access, file: step.file, steps: [] };
        // An undo may have had another access than the call that it took back.
        if (access === "system") known.access = access;
        known.steps.push({ step, commandSince: false });
        files.set(key, known);
      }
      continue;
    }
    for (const { file, steps } of files.values()) {
      const last = steps.at(-1);
      if (last && (!entry.isComplete || entry.files.includes(file))) last.commandSince = true;
    }
  }
  return [...files.values()];
}

async function openFor(place: string, access: "project" | "system", options: PlanOptions) {
  const { root, guarded, access: widest = access } = options;
  if (widest === "sandbox" && !(root ?? place).endsWith(`${sep}${sandboxPath}`))
    return new ToolboxError("path_outside_root", place, "The access is that of a sandbox.");
  try {
    const opened = await openRoot(root ?? place, { access: widest === "system" ? access : "project", guarded });
    // The journal has the real path, so another one means that a link was put in its place.
    if (root !== undefined || opened.base === place) return opened;
    return new ToolboxError("root_not_found", place, "A link stands in the place of the folder.");
  } catch (error) {
    if (error instanceof ToolboxError) return error;
    throw error;
  }
}

/** What stands where the file was, reached without a link. */
async function find(root: Root, file: string, most: number): Promise<{ real: string; now: FileState } | ToolboxError> {
  const real = isAbsolute(file) ? resolve(file) : join(root.base, file);
  try {
    const path = await changeablePath(root, real);
    if (path.real !== real) return new ToolboxError("path_changed", file, "its path leads through a link now.");
    if (path.kind === "missing") return { real, now: { kind: "missing" } };
    const { state } = await withFolder(root, dirname(real), (folder) => stateAt(folder, basename(real), most));
    return { real, now: state };
  } catch (error) {
    if (error instanceof ToolboxError) return error;
    throw error;
  }
}

function changed(now: FileState, byCommand: boolean): string {
  const by = byCommand ? ", perhaps by a command" : "";
  if (now.kind === "missing") return `was deleted since${by}`;
  return now.kind === "file" ? `was changed since${by}` : `is no file any more${by}`;
}

function actionOf(now: FileState, target: FileState): PlannedFile["action"] {
  if (target.kind === "missing") return "remove";
  return now.kind === "missing" ? "create" : "change";
}

/** Why a file cannot be restored, in a clause for a person: the message of the error advises a model. */
export function whyLeft({ code, message }: ToolboxError): string {
  if (code === "path_outside_root")
    return "is not restored: it lies outside of the folder now, or a link on its path leads out";
  if (code === "path_changed") return "is not restored: it was changed or moved just now, or a link stands on its path";
  if (code === "not_a_folder") return "is not restored: a file stands where one of its folders was";
  if (code === "out_of_reach") return "is not restored: it is one of the files that no tool may change";
  return `is not restored: ${message}`;
}
