import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { ToolboxError } from "../errors.ts";
import { checkChangeable, refuseObeyed } from "../files/confine/changeable-path.ts";
import { withFolder } from "../files/confine/confined-folder.ts";
import { type Access, openRoot, type Root } from "../files/confine/root.ts";
import { sandboxPath } from "../files/confine/sandbox-folder.ts";
import { type FileState, isSame, modeOfState, type Restored, stateAt } from "./file-state.ts";
import type { FileSteps } from "./file-steps.ts";
import type { RanCommand } from "./history.ts";
import { sideBySide } from "./side-by-side.ts";
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
  const roots = new Map<string, Promise<Root | ToolboxError>>();
  // What stands where a folder comes back, so that the way to what is in the folder is free then.
  const replaced = new Set<string>();
  const planned: (Restorable | LeftFile | undefined)[] = [];
  for (const level of outermostFirst(files)) {
    await sideBySide(level, async ([index, steps]) => {
      const place = `${steps.access} ${steps.root}`;
      const opening = roots.get(place) ?? openFor(steps.root, steps.access, options);
      roots.set(place, opening);
      const plan = await planFile(await opening, steps, replaced, read, options.most);
      planned[index] = plan;
      if (isRestorable(plan) && plan.target.kind === "folder" && plan.now.kind !== "folder") replaced.add(plan.real);
    });
  }
  return {
    restorable: planned.filter(isRestorable),
    left: planned.filter((plan): plan is LeftFile => plan !== undefined && !isRestorable(plan)),
  };
}

function isRestorable(plan: Restorable | LeftFile | undefined): plan is Restorable {
  return plan !== undefined && "action" in plan;
}

/** Undefined if the file is as it is to be. */
async function planFile(
  opened: Root | ToolboxError,
  { root, file, steps }: FileSteps,
  replaced: ReadonlySet<string>,
  read: ReadCopy,
  most: number,
): Promise<Restorable | LeftFile | undefined> {
  const left = (reason: LeftFile["reason"], message: string): LeftFile => ({ root, file, reason, message });
  if (opened instanceof ToolboxError) {
    if (opened.code === "path_outside_root") return left("refused", whyLeft(opened));
    const reason = opened.code === "out_of_reach" ? "refused" : "root_gone";
    return left(reason, `is in ${root}, which is not there any more`);
  }
  const found = await find(opened, file, most, replaced);
  if (found instanceof ToolboxError) return left("refused", whyLeft(found));
  const walked = walkBack(
    found.now,
    steps.map(({ step }) => step),
  );
  if (walked.kind === "too_large") return left("too_large", "was not kept: it is too large, or could not be read");
  if (walked.kind === "changed") {
    const isByCommand = steps[walked.step]?.commandSince === true;
    return left(isByCommand ? "command" : "changed", changed(found.now, isByCommand));
  }
  const { target } = walked;
  if (target.kind === "other" || isAsBefore(found.now, target)) return undefined;
  const needsCopy = target.kind === "file" && !isSame(target, found.now);
  const bytes = needsCopy ? await read(target.hash ?? "") : noBytes;
  if (bytes === undefined) return left("dropped", "has an old content that is not kept any more");
  if (bytes === "damaged") return left("damaged", "has an old content whose copy is damaged");
  const folders = steps.flatMap(({ step }) => step.folders).map((folder) => resolve(opened.base, folder));
  return { root: opened.base, file, action: actionOf(found.now, target), opened, ...found, target, bytes, folders };
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

/** Those of one depth together: none of them lies in another. */
function outermostFirst(files: readonly FileSteps[]): [index: number, steps: FileSteps][][] {
  const levels = Map.groupBy(files.entries(), ([, { file }]) => file.split("/").length);
  return [...levels].sort(([a], [b]) => a - b).map(([, level]) => level);
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
