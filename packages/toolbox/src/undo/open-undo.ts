import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { KeyRing } from "@cogency/tools";
import { processKeyRing } from "@cogency/tools/host";
import { ToolboxError } from "../errors.ts";
import type { Access } from "../files/confine/root.ts";
import { checkOptionsOf } from "../options.ts";
import { errorCode } from "../system-error.ts";
import type { ChangeKeeper, ChangingCall, Keeping, NewContent, Watch } from "./change-keeper.ts";
import { differences, takeSnapshot } from "./command-changes.ts";
import { CopyFolder, folderName, type UndoKey } from "./copy-folder.ts";
import { type FileState, hashOf, isSame, stateAt } from "./file-state.ts";
import { historyOf, type UndoEntry } from "./history.ts";
import { journalSeal } from "./journal-seal.ts";
import { keepFiles, placeOf } from "./keep-files.ts";
import { linesOfCalls } from "./lines-of-calls.ts";
import { type LeftFile, type PlannedFile, planUndo, type Restorable, type UndoPlan } from "./plan.ts";
import { restoreFiles } from "./restore-files.ts";
import { Room, type UndoLimits } from "./room.ts";

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

export interface UndoResult {
  /** Takes this undo back when it is the `call` of the first entry that is undone. */
  id: string;
  restored: readonly PlannedFile[];
  left: readonly LeftFile[];
}

/** Keeps what the tools replace, and restores it. */
export interface Undo extends ChangeKeeper {
  /** What the calls of a conversation changed, the earliest first, with earlier undos. */
  entries(key: UndoKey): Promise<UndoEntry[]>;
  /** What `undo` would do. Changes nothing. @throws RangeError if there is no such entry */
  plan(key: UndoKey, point: UndoPoint): Promise<UndoPlan>;
  /**
   * Restores each file to what it held before the first entry from `point` on, unless something else has changed it. It is
   * recorded as an entry of its own, so that it can be undone. Never changes what git takes its settings from.
   *
   * @throws RangeError if there is no such entry; ToolboxError if what the files hold now cannot be kept
   */
  undo(key: UndoKey, point: UndoPoint): Promise<UndoResult>;
  /**
   * Lets another conversation, which has no entries yet, undo what this one changed.
   *
   * @param calls only what the calls with these ids changed, for a fork that does not have all: a file that another call changed
   * later is then left, as one that a person changed. Earlier undos go along up to the first other call. All is copied if absent.
   */
  copy(from: UndoKey, to: UndoKey, calls?: ReadonlySet<string>): Promise<void>;
  /** Removes the copies of a conversation. @returns whether there were any */
  forget(key: UndoKey): Promise<boolean>;
}

/** Opens a folder of copies. Several processes may use it at a time. */
export function openUndo(options: UndoOptions): Undo {
  checkOptionsOf("openUndo", options);
  const { folder, keyRing = processKeyRing(), limits = {} } = options;
  const room = new Room(folder, limits);
  const most = room.largestFile;
  const folderOf = (key: UndoKey) => {
    const name = folderName(key);
    return new CopyFolder(join(folder, name), journalSeal(keyRing, name));
  };

  async function planned(key: UndoKey, point: UndoPoint, where: "undo" | "plan") {
    checkOptionsOf(where, point);
    const { from, guarded = [], root, access } = point;
    const copies = folderOf(key);
    const { lines, unreadable } = await copies.lines();
    const all = historyOf(lines);
    const start = all.findIndex(({ id }) => id === from);
    if (start === -1) throw new RangeError(`undo: the conversation has no entry ${JSON.stringify(from)}.`);
    const entries = all.slice(start);
    const found = await planUndo(entries, copies, { guarded: [...guarded, folder], root, access, most });
    return { entries, unreadable, ...found };
  }

  return {
    async keep(root, call, files): Promise<Keeping> {
      const targets = files.map(({ path, bytes }: NewContent) => ({ path, after: stateOf(bytes) }));
      const parts = { copies: folderOf(call), room };
      const { before, tell } = await keptOrRefused(() => keepFiles(root, call.call, targets, parts));
      return {
        async check(at, name) {
          const expected = before.get(join(at.path, name)) ?? other;
          const { state } = await stateAt(at, name, most);
          if (!isSame(state, expected) && !isLargeAsBefore(state, expected)) throw changedByAnother(at.shown(name));
        },
        done: () => tell("done"),
        discard: () => tell("discarded"),
      };
    },

    async watch(root, { call, conversation, user }: ChangingCall): Promise<Watch> {
      const copies = folderOf({ conversation, user });
      const id = randomUUID();
      await keptOrRefused(() => copies.append([{ kind: "command", id, ...placeOf(root, call.id) }]));
      const before = await takeSnapshot(root);
      return {
        async ended(isCancelled) {
          const after = before && !isCancelled ? await takeSnapshot(root) : undefined;
          const all = before && after ? differences(before, after) : [];
          const files = all.slice(0, mostNamed);
          const isComplete = after !== undefined && files.length === all.length;
          await copies
            .append([{ kind: "ended", command: id, files, isComplete }], { isFlushed: false })
            .catch(() => {});
        },
      };
    },

    async entries(key) {
      return historyOf((await folderOf(key).lines()).lines);
    },

    async plan(key, point): Promise<UndoPlan> {
      const { entries, unreadable, restorable, left } = await planned(key, point, "plan");
      const commands = entries.filter((entry) => entry.kind === "command");
      return { restore: restorable.map(plainly), left, commands, unreadable };
    },

    async undo(key, point): Promise<UndoResult> {
      const { restorable, left } = await planned(key, point, "undo");
      const id = `undo_${randomUUID().slice(0, 8)}`;
      const failed: LeftFile[] = [];
      for (const root of new Set(restorable.map(({ opened }) => opened))) {
        const files = restorable.filter(({ opened }) => opened === root);
        failed.push(...(await restoreFiles(root, id, files, { copies: folderOf(key), room })));
      }
      const isLeft = (file: Restorable) => failed.some((other) => other.root === file.root && other.file === file.file);
      return { id, restored: restorable.filter((file) => !isLeft(file)).map(plainly), left: [...left, ...failed] };
    },

    copy: (from, to, calls) =>
      folderOf(from).copyTo(
        folderOf(to),
        calls === undefined ? (lines) => lines : (lines) => linesOfCalls(lines, calls),
      ),
    forget: (key) => folderOf(key).remove(),
  };
}

const other: FileState = { kind: "other" };

/** Files that an entry names after a command. */
const mostNamed = 500;

function stateOf(bytes: Uint8Array) {
  // The mode of a new file is not known yet; that of an old one stays.
  return { kind: "file", hash: hashOf(bytes), size: bytes.length, mode: 0 } as const;
}

function plainly({ root, file, action }: Restorable): PlannedFile {
  return { root, file, action };
}

function isLargeAsBefore(now: FileState, before: FileState): boolean {
  if (now.kind !== "file" || before.kind !== "file") return false;
  return now.hash === undefined && before.hash === undefined && now.size === before.size;
}

function changedByAnother(shown: string): ToolboxError {
  const problem = `"${shown}" was changed by another process meanwhile, so it was not changed. Read it again, then try again.`;
  return new ToolboxError("path_changed", shown, problem);
}

/** An error of the folder of copies names a place that no tool shows. */
async function keptOrRefused<T>(keep: () => Promise<T>): Promise<T> {
  try {
    return await keep();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const message = `What the call would change cannot be kept for an undo, so nothing was changed: the system reported ${code}.`;
    throw new ToolboxError("io_error", "", message, { cause: error });
  }
}
