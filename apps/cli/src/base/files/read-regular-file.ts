import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { UsageError } from "../errors/usage-error.ts";
import { oneLine } from "../terminal/text.ts";

export interface FileLimits {
  /** Bytes that a file may have. Defaults to 1 MiB. */
  readonly most?: number;
  /** Reads the first `most` bytes of a longer file instead of refusing it. */
  readonly cuts?: true;
  /** The real path of the folder that the file must be in after all links are followed. Defaults to anywhere. */
  readonly within?: string | undefined;
  /** Real paths of files and folders that are never read, under no other name either. */
  readonly guarded?: readonly string[] | undefined;
}

/** What a file held when it was opened. */
export interface RegularFile {
  readonly bytes: Buffer;
  /** The real path. */
  readonly real: string;
  /** Bytes that the file has, which may be more than were read. */
  readonly size: number;
}

/** A file that is not read. The message never quotes what it holds. */
export class FileError extends UsageError {
  /** A clause, such as `it is not a regular file`. */
  readonly why: string;

  constructor(file: string, why: string, options?: ErrorOptions) {
    super(`${oneLine(file, 300)} cannot be read: ${why}.`, options);
    this.why = why;
  }
}

/** Bytes of a configuration, of rules and of other files that people write. */
const usualMost = 1_048_576;

/**
 * Reads a file that nobody vouches for, such as one of a cloned folder. Never waits, opens no device, reads no more than the file
 * says that it has, and follows no link that is put there meanwhile.
 *
 * @returns undefined if there is no such file
 * @throws FileError for what is not a regular file, is too large, leads out of `within`, or is guarded
 */
export function readRegularFile(file: string, limits: FileLimits = {}): RegularFile | undefined {
  for (let tries = 1; ; tries++) {
    try {
      return readOnce(file, limits);
    } catch (cause) {
      if (cause instanceof Moved) {
        if (tries < mostTries) continue;
        throw new FileError(file, "another program moves it");
      }
      if (cause instanceof FileError) throw cause;
      const { code = "unknown" } = cause as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") {
        // A pipe of this process, such as /dev/fd/63, has no real path.
        const stats = statSync(file, { throwIfNoEntry: false });
        if (stats) checkKind(file, stats);
        return undefined;
      }
      throw new FileError(file, code === "ELOOP" ? "its links lead in a circle" : `the system says ${code}`, { cause });
    }
  }
}

/** The text of such a file. @throws FileError as `readRegularFile` does */
export function readRegularText(file: string, limits?: FileLimits): string | undefined {
  return readRegularFile(file, limits)?.bytes.toString("utf8");
}

/** A program that saves a file replaces it. */
class Moved extends Error {}
const mostTries = 5;

function readOnce(file: string, { most = usualMost, cuts, within, guarded = [] }: FileLimits): RegularFile {
  const real = realpathSync.native(file);
  if (within !== undefined && !isBelow(within, real))
    throw new FileError(file, `it leads out of ${oneLine(within, 300)}, to ${oneLine(real, 300)}`);
  // A device may act when it is opened, so it is not.
  checkKind(file, statSync(real));
  const descriptor = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    checkKind(file, stats);
    if (placeOf(descriptor, real) !== real) throw new Moved();
    if (isGuarded(real, stats, guarded))
      throw new FileError(file, "it leads to a file of the app itself, such as its keys");
    if (stats.size > most && !cuts)
      throw new FileError(file, `it has ${stats.size} bytes, and at most ${most} are allowed`);
    return { bytes: beginningOf(descriptor, Math.min(stats.size, most)), real, size: stats.size };
  } finally {
    closeSync(descriptor);
  }
}

function checkKind(file: string, stats: Stats): void {
  if (!stats.isFile()) throw new FileError(file, "it is not a regular file");
}

/** Where an open file is: with the descriptor that was opened where the system tells, else by its path. */
function placeOf(descriptor: number, path: string): string {
  return process.platform === "linux" ? (linkAt(`/proc/self/fd/${descriptor}`) ?? path) : realpathSync.native(path);
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The size is what the file says. One that says 0 and never ends, as in /proc, gives nothing. */
function beginningOf(descriptor: number, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read) {
    read = readSync(descriptor, buffer, length, size - length, null);
  }
  return buffer.subarray(0, length);
}

/** By its path, or by its identity: a second hard link of a guarded file has another path. */
function isGuarded(real: string, { dev, ino, nlink }: Stats, guarded: readonly string[]): boolean {
  if (guarded.some((place) => isBelow(place, real))) return true;
  if (nlink < 2) return false;
  return guarded.flatMap(filesIn).some((one) => one.dev === dev && one.ino === ino);
}

/** A file itself, or the files of a folder. */
function filesIn(place: string): Stats[] {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [stats] : [];
  return namesIn(place).flatMap((name) => lstatSync(join(place, name), { throwIfNoEntry: false }) ?? []);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a path is a folder, or is below it. Both are real paths. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
