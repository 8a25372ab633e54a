import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, rm, rmdir, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../../system-error.ts";

/** A path that does not exist and that a command must not create. A mount needs something to cover, so a stand-in is made. */
export interface Absent {
  path: string;
  kind: "file" | "folder";
  /** The text that other programs read there meanwhile; at most a few bytes. */
  content?: string;
}

/**
 * Makes an empty stand-in for something absent, so that a sandbox can cover it. It can be told from what somebody makes of
 * it, also by a process that comes later.
 *
 * @returns false where a command could not make anything either
 * @throws the system's error if a stand-in cannot be made although a command could make room for one
 */
export async function holdPlace(absent: Absent): Promise<boolean> {
  try {
    await make(absent);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return true;
    if (await isBeyondReach(error, absent.path)) return false;
    throw error;
  }
}

/** Whether the path holds a stand-in that no program has changed. */
export async function isPlaceholder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && hasMark(stats);
}

/** Takes a stand-in away. */
export async function takeAway(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    if (!hasMark(stats)) return;
    await (stats.isDirectory() ? rmdir(path) : rm(path));
  } catch {
    // It is gone already, or no longer empty: then it belongs to the program that made something of it.
  }
}

async function make({ path, kind, content = "" }: Absent): Promise<void> {
  if (kind === "folder") {
    await mkdir(path, { mode: 0o700 });
    await utimes(path, placeholderMark, placeholderMark);
    return;
  }
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(content);
    await file.utimes(placeholderMark, placeholderMark);
  } finally {
    await file.close();
  }
}

/** The time of its last change, in seconds: any change of a file, and of what is in a folder, takes it away. */
const placeholderMark = 286_331_153;
/** Bytes of the largest stand-in. */
const largestPlaceholder = 16;

function hasMark(stats: Stats): boolean {
  return (
    stats.mtimeMs === placeholderMark * 1000 &&
    (stats.isDirectory() || (stats.isFile() && stats.size <= largestPlaceholder))
  );
}

/** A file system that cannot be written to, or a folder of another user, is closed to a command, too. */
async function isBeyondReach(error: unknown, path: string): Promise<boolean> {
  const code = errorCode(error);
  if (code === "EROFS") return true;
  if (code !== "EACCES" && code !== "EPERM") return false;
  return (await lstat(dirname(path))).uid !== process.geteuid?.();
}
