import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { ToolboxError } from "../errors.ts";
import { checkChangeable, refuseObeyed } from "../files/confine/changeable-path.ts";
import { withFolder } from "../files/confine/confined-folder.ts";
import { type Access, openRoot, type Root } from "../files/confine/root.ts";
import { sandboxPath } from "../files/confine/sandbox-folder.ts";
import { type FileState, isSame, modeOfState, type Restored, stateAt } from "./file-state.ts";
import type { FileSteps } from "./file-steps.ts";
import type { RanCommand } from "./history.ts";
import { walkBack } from "./walk-back.ts";

/** What an undo would do, and what it would leave. */
export interface UndoPlan {
  restore: readonly PlannedFile[];
  left: readonly LeftFile[];
  /** The commands that ran since, with what they changed and what of it was not kept. */
  commands: readonly RanCommand[];
  /**
   * How many lines of the journal cannot be read, or were not signed by this installation, such as those of versions that signed
   * none. What they recorded is not undone.
   */
  unreadable: number;
}

/** A file, link or folder that can be restored: it is as the agent left it. */
export interface PlannedFile {
  /** The real path of its root. */
  root: string;
  /** Relative to its root, with `/` between names; absolute outside of it. */
  file: string;
  /** `change`: it gets its old content or mode. `remove`: it was created. `create`: it was deleted. */
  action: "change" | "remove" | "create";
}

/** A file that is left as it is. */
export interface LeftFile extends Omit<PlannedFile, "action"> {
  /**
   * - `changed`: a person or another program changed it after the agent did
   * - `command`: it changed after the agent changed it, and a command of the agent ran then of which not all was kept
   * - `dropped`: its old content is not kept any more, because the copies have a limit
   * - `too_large`: nothing was kept of it: it was too large, by itself or after all others, or could not be read
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
  target: Restored;
  /** The bytes of a file that is the target. */
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

/** Gives the bytes of a content by its hash. */
export type ReadCopy = (hash: string) => Promise<Uint8Array | "damaged" | undefined>;

export async function planUndo(
  files: readonly FileSteps[],
  read: ReadCopy,
  options: PlanOptions,
): Promise<{ restorable: Restorable[]; left: LeftFile[] }> {
  const restorable: Restorable[] = [];
  const left: LeftFile[] = [];
  const roots = new Map<string, Promise<Root | ToolboxError>>();
  // What stands where a folder comes back, so that the way to what is in the folder is free then.
  const replaced = new Set<string>();
  for (const { root, access, file, steps } of outermostFirst(files)) {
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
    const found = await find(opened, file, options.most, replaced);
    if (found instanceof ToolboxError) {
      leave("refused", whyLeft(found));
      continue;
    }
    const walked = walkBack(
      found.now,
      steps.map(({ step }) => step),
    );
    if (walked.kind === "too_large") {
      leave("too_large", "was not kept: it is too large, or could not be read");
    } else if (walked.kind === "changed") {
      const command = steps[walked.step]?.commandSince === true;
      leave(command ? "command" : "changed", changed(found.now, command));
    } else if (walked.target.kind !== "other" && !isAsBefore(found.now, walked.target)) {
      const { target } = walked;
      const needsCopy = target.kind === "file" && !isSame(target, found.now);
      const copy = needsCopy ? await read(target.hash ?? "") : noBytes;
      if (copy === undefined) leave("dropped", "has an old content that is not kept any more");
      else if (copy === "damaged") leave("damaged", "has an old content whose copy is damaged");
      else {
        const folders = steps.flatMap(({ step }) => step.folders).map((folder) => resolve(opened.base, folder));
        const action = actionOf(found.now, target);
        if (target.kind === "folder" && found.now.kind !== "folder") replaced.add(found.real);
        restorable.push({ root: opened.base, file, action, opened, ...found, target, bytes: copy, folders });
      }
    }
  }
  return { restorable, left };
}

const noBytes = new Uint8Array();

function isAsBefore(now: FileState, target: FileState): boolean {
  return isSame(now, target) && modeOfState(now) === modeOfState(target);
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
async function find(
  root: Root,
  file: string,
  most: number,
  replaced: ReadonlySet<string>,
): Promise<{ real: string; now: FileState } | ToolboxError> {
  const real = isAbsolute(file) ? resolve(file) : join(root.base, file);
  try {
    if (isBelow(replaced, real)) {
      await refuseObeyed(root, real);
      return { real, now: { kind: "missing" } };
    }
    if (!(await checkChangeable(root, real))) return { real, now: { kind: "missing" } };
    const { state } = await withFolder(root, dirname(real), (folder) => stateAt(folder, basename(real), most));
    return { real, now: state };
  } catch (error) {
    if (error instanceof ToolboxError) return error;
    throw error;
  }
}

function outermostFirst(files: readonly FileSteps[]): FileSteps[] {
  const depth = ({ file }: FileSteps) => file.split("/").length;
  return files.toSorted((a, b) => depth(a) - depth(b));
}

function isBelow(folders: ReadonlySet<string>, real: string): boolean {
  for (let above = dirname(real); above !== dirname(above); above = dirname(above)) if (folders.has(above)) return true;
  return false;
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
