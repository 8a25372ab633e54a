import { randomUUID } from "node:crypto";
import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ToolboxError } from "../errors.ts";
import { withFolder } from "../files/confine/confined-folder.ts";
import { pathInRoot, type Root } from "../files/confine/root.ts";
import { errorCode } from "../system-error.ts";
import type { CopyFolder } from "./copy-folder.ts";
import { type FileState, hashOf, type Restored, stateAt } from "./file-state.ts";
import type { ChangeLine } from "./records.ts";
import type { Room } from "./room.ts";
import { sideBySide } from "./side-by-side.ts";

/** What a file is to be. */
export interface Target {
  /** The real path. */
  path: string;
  after: Restored;
  /** What it holds in place of what is on the disk. */
  before?: Uint8Array | undefined;
}

/** A change that was recorded and is not made yet. */
export interface Recorded {
  /** What stood at each real path. Files that could not be looked at are not in it, and are not recorded. */
  before: ReadonlyMap<string, FileState>;
  /** Records that these files, or all, were changed or were not. It never fails: files of which nothing is told are compared later. */
  tell(kind: "done" | "discarded", files?: string[]): Promise<void>;
}

/**
 * Copies what files hold, and records what they are to be. Both are on disk when it resolves.
 *
 * @param onRefused of an undo: called for a file that cannot be looked at; without it, the error is thrown
 */
export async function keepFiles(
  root: Root,
  call: { id: string; name: string },
  files: readonly Target[],
  { copies, room }: { copies: CopyFolder; room: Room },
  onRefused?: (path: string, error: ToolboxError) => void,
): Promise<Recorded> {
  const isUndo = onRefused !== undefined;
  const before = new Map<string, FileState>();
  const added = { bytes: 0, copies: 0 };
  const keep = async ({ path, after, before: held }: Target): Promise<ChangeLine["files"]> => {
    try {
      const found = await lookAt(root, path, room.largestFile, isUndo);
      const { state, bytes, folders } = held === undefined ? found : { ...found, ...heldIn(found.state, held, room) };
      // Only an undo replaces links and folders.
      const isOfTools = state.kind === "file" || state.kind === "missing";
      if (state.kind === "other" || (!isUndo && !isOfTools)) throw noFile(pathInRoot(root, path));
      const size = bytes === undefined ? 0 : await copies.put(hashOf(bytes), bytes);
      added.bytes += size;
      if (size > 0) added.copies += 1;
      before.set(path, state);
      const made = folders.map((folder) => pathInRoot(root, folder));
      return [{ file: pathInRoot(root, path), before: state, after, ...(made.length > 0 && { folders: made }) }];
    } catch (error) {
      if (onRefused === undefined || !(error instanceof ToolboxError)) throw error;
      onRefused(path, error);
      return [];
    }
  };
  const lines = (await sideBySide(files, keep)).flat();
  const change = randomUUID();
  await copies.append([{ kind: "change", id: change, tool: call.name, files: lines, ...placeOf(root, call.id) }]);
  await room.added(copies, added.bytes, added.copies);
  return {
    before,
    tell: (kind, files) => copies.append([{ kind, change, files }], { isFlushed: false }).catch(() => {}),
  };
}

/** The fields that say when and where a call does something. */
export function placeOf(root: Root, call: string) {
  const access = root.access === "system" ? "system" : "project";
  return { call, time: Date.now() / 1000, root: root.base, access } as const;
}

async function lookAt(root: Root, path: string, most: number, isUndo: boolean) {
  const folders = await missingFolders(root, path, isUndo);
  if (folders.length > 0) return { ...missing, folders };
  return { folders, ...(await withFolder(root, dirname(path), (folder) => stateAt(folder, basename(path), most))) };
}

/** A file with other bytes than those on the disk. */
function heldIn(state: FileState, bytes: Uint8Array, { largestFile }: Room): { state: FileState; bytes?: Uint8Array } {
  const mode = state.kind === "file" ? state.mode : 0;
  const file = { kind: "file", size: bytes.length, mode } as const;
  return bytes.length > largestFile ? { state: file } : { state: { ...file, hash: hashOf(bytes) }, bytes };
}

const missing: { state: FileState; bytes?: Uint8Array } = { state: { kind: "missing" } };

/**
 * The real paths of the folders above a file that do not exist, the outermost first. What an undo finds in the place of a folder,
 * such as a link, goes before what will be in the folder comes.
 */
async function missingFolders(root: Root, path: string, isUndo: boolean): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== root.path && folder !== dirname(folder); folder = dirname(folder)) {
    folders.unshift(folder);
  }
  for (const [index, folder] of folders.entries()) {
    const isThere = await lstat(folder).then(
      (stats) => !isUndo || stats.isDirectory(),
      (error: unknown) => errorCode(error) !== "ENOENT",
    );
    if (!isThere) return folders.slice(index);
  }
  return [];
}

function noFile(shown: string): ToolboxError {
  return new ToolboxError("path_changed", shown, `"${shown}" is no file any more; try again.`);
}
