import type { ToolContext } from "@cogency/tools";
import type { ConfinedFolder } from "../files/confine/confined-folder.ts";
import type { Root } from "../files/confine/root.ts";

/** The call that a change belongs to. */
export type ChangingCall = Pick<ToolContext, "call" | "conversation" | "user">;

/** Keeps what the tools replace. `openUndo` of `@cogency/toolbox/undo` makes one that keeps copies on disk. */
export interface ChangeKeeper {
  /**
   * Keeps what files hold before a call changes them. The copies are on disk when it resolves, so that a process that is
   * killed at any time leaves a file that can be restored.
   *
   * @param files real paths in the root, with the bytes that each file will hold
   * @throws ToolboxError if a copy cannot be written; then the call must change nothing
   */
  keep(root: Root, call: ChangingCall, files: readonly NewContent[]): Promise<Keeping>;
  /**
   * Keeps what a command that is about to run may change. It is on disk when it resolves, as with `keep`. Commands may overlap.
   *
   * @throws ToolboxError if it cannot be written; then the command must not run
   */
  watch(root: Root, call: ChangingCall): Promise<Watch>;
}

/** What a file is about to hold. */
export interface NewContent {
  /** The real path. */
  path: string;
  bytes: Uint8Array;
  /** What an undo brings back in place of what the disk holds now: the text of an editor that is not saved. */
  before?: Uint8Array | undefined;
}

/** A change that is about to be made. */
export interface Keeping {
  /** @throws ToolboxError `path_changed` if the file does not hold what was kept of it any more */
  check(folder: ConfinedFolder, name: string): Promise<void>;
  /** All files were changed. */
  done(): Promise<void>;
  /** No file was changed. */
  discard(): Promise<void>;
}

export interface Watch {
  /**
   * The command has ended, or nobody waits for it any longer; it may be much later. Never rejects. Without this call, what changes
   * until the next call of another process, or until an undo, counts as changed by the command.
   */
  ended(): Promise<void>;
}
