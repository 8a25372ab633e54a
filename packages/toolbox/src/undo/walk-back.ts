import { type FileState, isSame } from "./file-state.ts";

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
  /** The file was too large to be kept before this step. */
  | { kind: "too_large"; step: number };

/**
 * Walks from what a file holds now back through its changes, the last one first. A step is undone if it left the file as the walk
 * finds it. A step that may not have been made is also passed if the file is as it was before. Anything else means that another
 * hand changed the file, and then it is left: undoing older steps would lose that change.
 */
export function walkBack(now: FileState, steps: readonly Step[]): WalkedBack {
  let target = now;
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    const { before, after, isDone } = steps[step] as Step;
    if (isSame(target, after)) {
      if (before.kind === "file" && before.hash === undefined) return { kind: "too_large", step };
      target = before;
    } else if (isDone || !isSame(target, before)) {
      return { kind: "changed", step };
    }
  }
  return { kind: "target", target };
}
