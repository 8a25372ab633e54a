import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { processKeyRing } from "@cogency/tools/host";
import { ToolboxError } from "../errors.ts";
import { checkOptionsOf } from "../options.ts";
import type { ChangeKeeper, ChangingCall, Keeping, NewContent, Watch } from "./change-keeper.ts";
import { CopyFolder, folderName, type UndoKey } from "./copy-folder.ts";
import { type FileChange, fileChanges } from "./file-changes.ts";
import { type FileState, hashOf, isSame, stateAt } from "./file-state.ts";
import { fileSteps } from "./file-steps.ts";
import { historyOf, type UndoEntry } from "./history.ts";
import { journalSeal } from "./journal-seal.ts";
import { keepFiles } from "./keep-files.ts";
import { CommandKeeper } from "./kept/command-keeper.ts";
import { Contents } from "./kept/contents.ts";
import { withEnds } from "./kept/with-ends.ts";
import { keptOrRefused } from "./kept-or-refused.ts";
import { linesOfCalls } from "./lines-of-calls.ts";
import { type LeftFile, type PlannedFile, planUndo, type Restorable, type UndoPlan } from "./plan.ts";
import { restoreFiles } from "./restore-files.ts";
import { commandLimits, Room } from "./room.ts";
import type { UndoOptions, UndoPoint } from "./undo-options.ts";

export interface UndoResult {
  /** Takes this undo back when it is the `call` of the first entry that is undone. */
  id: string;
  restored: readonly PlannedFile[];
  left: readonly LeftFile[];
}

/** What was changed since an entry. */
export interface UndoChanges extends Omit<UndoPlan, "restore"> {
  /** Those that an undo would restore: nothing else has changed them since. */
  files: readonly FileChange[];
}

/** Keeps what the tools replace and what commands may change, and restores it. */
export interface Undo extends ChangeKeeper {
  /** What the calls of a conversation changed, the earliest first, with earlier undos. */
  entries(key: UndoKey): Promise<UndoEntry[]>;
  /** What `undo` would do. Changes nothing. @throws RangeError if there is no such entry */
  plan(key: UndoKey, point: UndoPoint): Promise<UndoPlan>;
  /** What each file held before the first entry from `point` on, and holds now. Changes nothing. @throws RangeError as `plan` does */
  changes(key: UndoKey, point: UndoPoint): Promise<UndoChanges>;
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
  const ofCommands = commandLimits(limits, room);
  const commands = new CommandKeeper(folder, ofCommands);
  const conversationOf = (key: UndoKey) => {
    const name = folderName(key);
    const seal = journalSeal(keyRing, name);
    return { name, seal, copies: new CopyFolder(join(folder, name), seal) };
  };
  const folderOf = (key: UndoKey) => conversationOf(key).copies;

  async function planned(key: UndoKey, point: UndoPoint, where: "undo" | "plan") {
    checkOptionsOf(where, point);
    const { from, guarded = [], root, access } = point;
    const copies = folderOf(key);
    const { lines: written, unreadable } = await copies.lines();
    const contents = new Contents(copies.path);
    const { seal } = conversationOf(key);
    const lines = await withEnds(written, {
      contents,
      conversation: copies.path,
      seal,
      guarded: [...guarded, folder],
      root,
      limits: ofCommands,
    });
    const all = historyOf(lines);
    const start = all.findIndex(({ id }) => id === from);
    if (start === -1) throw new RangeError(`undo: the conversation has no entry ${JSON.stringify(from)}.`);
    const entries = all.slice(start);
    const read = async (hash: string) => (await copies.get(hash)) ?? contents.get(hash);
    const files = fileSteps(all, start, lines);
    const found = await planUndo(files, read, { guarded: [...guarded, folder], root, access, most });
    return { entries, unreadable, ...found };
  }

  return {
    async keep(root, call, files): Promise<Keeping> {
      const targets = files.map(({ path, bytes, before }: NewContent) => ({ path, after: stateOf(bytes), before }));
      const of = conversationOf(call);
      const { before, tell } = await keptOrRefused(async () => {
        await commands.settle(root, of);
        return keepFiles(root, call.call, targets, { copies: of.copies, room });
      });
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

    watch(root, { call, conversation, user }: ChangingCall): Promise<Watch> {
      return keptOrRefused(() => commands.watch(root, call, conversationOf({ conversation, user })));
    },

    async entries(key) {
      return historyOf((await folderOf(key).lines()).lines);
    },

    async plan(key, point): Promise<UndoPlan> {
      const { entries, unreadable, restorable, left } = await planned(key, point, "plan");
      const commands = entries.filter((entry) => entry.kind === "command");
      return { restore: shown(restorable), left, commands, unreadable };
    },

    async changes(key, point): Promise<UndoChanges> {
      const { entries, unreadable, restorable, left } = await planned(key, point, "plan");
      const commands = entries.filter((entry) => entry.kind === "command");
      return { files: await fileChanges(restorable, most), left, commands, unreadable };
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
      return { id, restored: shown(restorable.filter((file) => !isLeft(file))), left: [...left, ...failed] };
    },

    copy: (from, to, calls) =>
      folderOf(from).copyTo(
        folderOf(to),
        calls === undefined ? (lines) => lines : (lines) => linesOfCalls(lines, calls),
      ),
    forget(key) {
      const { name, copies } = conversationOf(key);
      commands.forget(name);
      return copies.remove();
    },
  };
}

const other: FileState = { kind: "other" };

function stateOf(bytes: Uint8Array) {
  // The mode of a new file is not known yet; that of an old one stays.
  return { kind: "file", hash: hashOf(bytes), size: bytes.length, mode: 0 } as const;
}

/** Without folders that go or come back together with what is in them. */
function shown(files: readonly Restorable[]): PlannedFile[] {
  const filled = new Set(files.flatMap(({ real, action }) => [`${action} ${dirname(real)}`]));
  return files
    .filter(({ real, action, now, target }) => {
      const isFolder = now.kind === "folder" || (now.kind === "missing" && target.kind === "folder");
      return !isFolder || target.kind === "file" || target.kind === "link" || !filled.has(`${action} ${real}`);
    })
    .map(({ root, file, action }) => ({ root, file, action }));
}

function isLargeAsBefore(now: FileState, before: FileState): boolean {
  if (now.kind !== "file" || before.kind !== "file") return false;
  return now.hash === undefined && before.hash === undefined && now.size === before.size;
}

function changedByAnother(shown: string): ToolboxError {
  const problem = `"${shown}" was changed by another process meanwhile, so it was not changed. Read it again, then try again.`;
  return new ToolboxError("path_changed", shown, problem);
}
