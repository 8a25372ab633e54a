import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from "node:fs";
import type { TextProblemCode } from "./text-problem.ts";

/** Bytes of a file with front matter, and of a file beside a skill. */
const most = 262_144;

/** Why a file is not read: a clause that follows its name. */
export class UnreadableFile extends Error {
  readonly code: TextProblemCode;

  constructor(code: TextProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a regular file as UTF-8. A pipe or a device never blocks it and is not opened, a large file costs no memory, and no link that
 * is put there meanwhile is followed. Small files are read at once: a promise for each step takes longer than the step.
 *
 * @param real its real path
 * @throws UnreadableFile
 */
export function readSmallFile(real: string): string {
  checkSize(statSync(real));
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = openSync(real, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(file);
    checkSize(stats);
    if (placeOf(file, real) !== real)
      throw new UnreadableFile("file_unreadable", "is moved by another program. Try again.");
    // What is written meanwhile is not read. A file of the kernel says that it has nothing, and gives nothing.
    const buffer = Buffer.alloc(stats.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(buffer.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

function checkSize(stats: { isFile(): boolean; size: number }): void {
  if (!stats.isFile()) throw new UnreadableFile("file_unreadable", "is no regular file.");
  if (stats.size > most) throw new UnreadableFile("file_too_large", `is larger than ${most} bytes.`);
}

/** Where an open file is: by what was opened where the system tells, else by its path. */
function placeOf(file: number, path: string): string {
  if (process.platform !== "linux") return realpathSync.native(path);
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return path;
  }
}
