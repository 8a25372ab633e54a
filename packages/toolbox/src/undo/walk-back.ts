import { type FileState, isSame, modeOfState } from "./file-state.ts";

/** A change of one file, as it was recorded before it was made. */
export interface Step {
  before: FileState;
  after: FileState;
  /** False if the process ended before it could say that the change was made. */
  isDone: boolean;
}

/** Where undoing the steps of a file leads. */
export type WalkedBack =
  /** The file is to be as it was before the first step. */
  | { kind: "target"; target: FileState }
  /** Something else changed the file after this step, or between it and the next one. */
  | { kind: "changed"; step: number }
  /** Of the file nothing was kept at this step, because it was too large or could not be read. */
  | { kind: "too_large"; step: number };

/**
 * Walks from what a file holds now back through its changes, the last one first. A step is undone if it left the file as the walk
 * finds it. A step that may not have been made is also passed if the file is as it was before, or is gone while it was to become a
 * folder or link. Anything else means that another hand changed the file, and then it is left: undoing older steps would lose that
 * change. A mode goes back by itself, as far as the steps know it and found it as they left it.
 */
export function walkBack(now: FileState, steps: readonly Step[]): WalkedBack {
  let target = now;
  let mode = modeOfState(now);
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    const { before, after, isDone } = steps[step] as Step;
    if (isSame(target, after)) {
      if (isUnkept(before)) return { kind: "too_large", step };
      mode = modeBefore(mode, before, after);
      target = before;
    } else if (isUnkept(after) && target.kind === "file") {
      return { kind: "too_large", step };
    } else if (!isDone && target.kind === "missing" && before.kind !== after.kind && !isUnkept(before)) {
      mode = modeOfState(before);
      target = before;
    } else if (isDone || !isSame(target, before)) {
      return { kind: "changed", step };
    }
  }
  return { kind: "target", target: target.kind === "file" || target.kind === "folder" ? { ...target, mode } : target };
}

function isUnkept(state: FileState): boolean {
  return state.kind === "file" && state.hash === undefined;
}

function modeBefore(mode: number, before: FileState, after: FileState): number {
  // What is made anew gets the mode that it had.
  if (before.kind !== after.kind) return modeOfState(before);
  return modeOfState(after) === mode && modeOfState(before) !== 0 ? modeOfState(before) : mode;
}
