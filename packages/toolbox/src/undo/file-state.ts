import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import { ToolboxError } from "../errors.ts";
import type { ConfinedFolder } from "../files/confine/confined-folder.ts";
import { readUpTo } from "../files/text/read-up-to.ts";
import { errorCode, fromSystem } from "../system-error.ts";

/** What stands at a path. `other` is a device, a pipe or a socket. */
export type FileState = { kind: "missing" } | { kind: "other" } | FolderState | LinkState | KeptFileState;

/** What can be restored. */
export type Restored = Exclude<FileState, { kind: "other" }>;

export interface FolderState {
  kind: "folder";
  /** Its permission bits. */
  mode: number;
}

export interface LinkState {
  kind: "link";
  /** Where it leads, as it is written. */
  target: string;
}

export interface KeptFileState {
  kind: "file";
  /** Of its bytes, SHA-256 in hexadecimal digits. Absent if it has more bytes than are kept, or could not be read. */
  hash?: string | undefined;
  size: number;
  /** Its permission bits. 0 if they are not known: a tool that writes a file leaves them to the system. */
  mode: number;
  /** Of a file without a hash: a text that differs after every change. */
  stamp?: string | undefined;
}

/** Whether both are the same kind with the same content. Modes do not count, and a file without a hash is like no other. */
export function isSame(a: FileState, b: FileState): boolean {
  if (a.kind === "file" && b.kind === "file") return a.hash !== undefined && a.hash === b.hash;
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return a.kind === b.kind && (a.kind === "missing" || a.kind === "folder");
}

/** The permission bits; 0 if there are none, or they are not known. */
export function modeOfState(state: FileState): number {
  return state.kind === "file" || state.kind === "folder" ? state.mode : 0;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What stands at a name in an open folder, with the bytes of a file of at most `most` bytes. It follows no link. */
export async function stateAt(
  folder: ConfinedFolder,
  name: string,
  most: number,
): Promise<{ state: FileState; bytes?: Uint8Array }> {
  try {
    const there = await lstat(folder.at(name));
    if (there.isDirectory()) return { state: { kind: "folder", mode: there.mode & 0o777 } };
    if (there.isSymbolicLink()) return { state: { kind: "link", target: await readlink(folder.at(name)) } };
    if (!there.isFile()) return { state: { kind: "other" } };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { state: { kind: "missing" } };
    throw fromSystem(error, folder.shown(name));
  }
  const handle = await folder.openFile(name);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { state: { kind: "other" } };
    const file = { kind: "file", size: stats.size, mode: stats.mode & 0o777 } as const;
    if (stats.size > most) return { state: file };
    const bytes = await readUpTo(handle, most + 1, stats.size);
    if (bytes.length > most) return { state: { ...file, size: bytes.length } };
    return { state: { ...file, size: bytes.length, hash: hashOf(bytes) }, bytes };
  } finally {
    await handle.close();
  }
}

/** @throws ToolboxError `path_changed` unless the file has this state */
export async function checkState(folder: ConfinedFolder, name: string, expected: FileState): Promise<void> {
  const most = expected.kind === "file" ? expected.size : 0;
  const { state } = await stateAt(folder, name, most);
  if (!isSame(state, expected)) throw changedMeanwhile(folder.shown(name));
}

export function changedMeanwhile(shown: string): ToolboxError {
  return new ToolboxError("path_changed", shown, `"${shown}" was changed while it was being restored, so it was left.`);
}
