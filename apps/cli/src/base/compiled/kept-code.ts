import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { isOwn } from "./own-folder.ts";

/** The compiled code of a file of the app, as V8 reads it. */
export interface KeptCode {
  code: Buffer;
  /** How many commands have added what they called. */
  uses: number;
}

/**
 * Reads what is kept of a file with this text; undefined if there is nothing, if it is damaged, or if another user could have
 * written it. The sums in it find damage only: who can write in the folder can also make them.
 */
export function readKept(folder: string, file: string, text: string): KeptCode | undefined {
  try {
    const bytes = ownBytes(join(folder, file + keptEnd));
    const code = bytes?.subarray(headBytes);
    if (!bytes || !code) return undefined;
    const uses = bytes.readUInt32LE(8);
    return headOf(text, { code, uses }).equals(bytes.subarray(0, headBytes)) ? { code, uses } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces what is kept of a file. Other processes read either all of the new or all of the old. */
export function writeKept(folder: string, file: string, text: string, kept: KeptCode): void {
  const path = join(folder, file + keptEnd);
  const draft = `${path}.${Math.random().toString(36).slice(2)}${draftEnd}`;
  try {
    const handle = openSync(draft, "wx", 0o600);
    try {
      for (const part of [headOf(text, kept), kept.code]) writeSync(handle, part);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Removes what is kept of a file, which the next command then compiles anew. */
export function removeKept(folder: string, file: string): void {
  attempt(() => unlinkSync(join(folder, file + keptEnd)));
}

/** Removes what is kept of files that the app does not have, and the drafts of processes that were ended while they wrote. */
export function sweepKept(folder: string, isOfApp: (file: string) => boolean): void {
  for (const name of readdirSync(folder)) {
    const [, file, isDraft] = ownName.exec(name) ?? [];
    if (file === undefined) continue;
    const path = join(folder, name);
    if (isDraft ? isOlder(path, hour) : !isOfApp(file)) attempt(() => unlinkSync(path));
  }
}

/** Removes the folders of other versions, in the folder above all of them, if none has kept anything there for a month. */
export function sweepFolders(above: string, own: string): void {
  for (const name of readdirSync(above)) {
    const folder = join(above, name);
    if (name === own || !folderName.test(name) || !isOlder(folder, 30 * 24 * hour)) continue;
    attempt(() => {
      sweepKept(folder, () => false);
      rmdirSync(folder);
    });
  }
}

/** A folder's name: the version and the architecture of Node, and a sum of what else tells one installed app from another. */
export function keptFolder(...app: string[]): string {
  const sum = crc32(app.join("\n")).toString(16).padStart(8, "0");
  return `${process.version}-${process.arch}-${sum}`;
}

const keptEnd = ".code";
const draftEnd = ".draft";
/** Nothing else in the folder is touched. */
const ownName = /^([\w+-]+\.cjs)\.code(\.[a-z\d]+\.draft)?$/;
const folderName = /^v\d+\.\d+\.\d+[\w.-]*-\w+-[\da-f]{8}$/;
const hour = 3_600_000;

/** The sum of the text, which tells one build of a file from another, the sum of the code, and the uses. */
const headBytes = 12;

function headOf(text: string, { code, uses }: KeptCode): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(crc32(text), 0);
  head.writeUInt32LE(crc32(code), 4);
  head.writeUInt32LE(uses, 8);
  return head;
}

/** A link is not followed, and a pipe does not block. */
function ownBytes(path: string): Buffer | undefined {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    return stats.isFile() && isOwn(stats) ? readFileSync(handle) : undefined;
  } finally {
    closeSync(handle);
  }
}

/** Whether a file or a folder, and not a link, was last changed so long ago. */
function isOlder(path: string, milliseconds: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isSymbolicLink() && Date.now() - stats.mtimeMs > milliseconds;
}

/** What one process cannot remove, another one removes. */
function attempt(remove: () => void): void {
  try {
    remove();
  } catch {}
}
