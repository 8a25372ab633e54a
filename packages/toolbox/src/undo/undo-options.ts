import type { KeyRing } from "@cogency/tools";
import type { Access } from "../files/confine/root.ts";

export interface UndoOptions {
  /**
   * The absolute path of the folder for the copies, which is made with mode 0700 when it is first needed. Guard it from the
   * tools: `guarded` of `openRoot`.
   */
  folder: string;
  /**
   * Signs the journal: only changes that an installation with this ring has recorded are undone. Defaults to a key of this
   * process, so that nothing can be undone after a restart.
   */
  keyRing?: KeyRing | undefined;
  limits?: UndoLimits | undefined;
}

/** Where an undo goes back to. */
export interface UndoPoint {
  /** The `id` of the first entry that is undone, together with all later ones. */
  from: string;
  /** Absolute paths that nothing may be restored to, besides the folder of the copies. */
  guarded?: readonly string[] | undefined;
  /** The folder that the agent worked in, if it has moved since. */
  root?: string | undefined;
  /**
   * The widest access to restore with, such as that of the conversation now. A file that only a wider one reaches is left, with
   * the reason `refused`. Defaults to the access that each call had.
   */
  access?: Access | undefined;
}

export interface UndoLimits {
  /** The most bytes that the copies of one conversation take. Defaults to 64 MiB. */
  conversation?: number | undefined;
  /** The most bytes of all conversations. Defaults to 512 MiB. */
  all?: number | undefined;
  /** The largest file that is copied, in bytes. Defaults to 16 MiB. */
  file?: number | undefined;
  /** The most copies of all conversations. Defaults to 4000: a guarded folder with very many files makes guarding slow. */
  copies?: number | undefined;
  /** The largest file that is kept before a command, in bytes. Defaults to 4 MiB, and is at most `file`. */
  commandFile?: number | undefined;
  /** The most bytes that are kept of the files below a root before a command; the smallest files come first. Defaults to 128 MiB. */
  commandTree?: number | undefined;
  /** The most bytes that one conversation keeps before its commands. Defaults to 256 MiB, and is at least `commandTree`. */
  commandConversation?: number | undefined;
  /** The most bytes that all conversations keep before their commands. Defaults to 1 GiB. */
  commandAll?: number | undefined;
}
