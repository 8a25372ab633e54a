import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, rm, rmdir, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../../system-error.ts";

/** A path that does not exist and that a command must not create. A mount needs something to cover: the placeholder. */
export interface Absent {
  path: string;
  kind: "file" | "folder";
  /** The text of the placeholder, for programs that read it meanwhile; at most `largestPlaceholder` bytes. */
  content?: string;
}

/**
 * Creates a placeholder, so that a sandbox can cover it. Its timestamp marks it: a later process can tell whether another
 * program has changed it.
 *
 * @returns false if a command could not create anything there either
 * @throws the system's error if the placeholder cannot be created, but a command might create a file there
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

/** Whether the path holds a placeholder that no program has changed. */
export async function isPlaceholder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && hasMark(stats);
}

/** Removes a placeholder unless a program has changed it. */
export async function removePlaceholder(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    if (!hasMark(stats)) return;
    await (stats.isDirectory() ? rmdir(path) : rm(path));
  } catch {
    // It is gone already, or no longer empty: then it belongs to the program that filled it.
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

/** The modification time of placeholders, in seconds. Any change of the file, or of a folder's entries, replaces it. */
const placeholderMark = 286_331_153;
/** In bytes. */
const largestPlaceholder = 16;

function hasMark(stats: Stats): boolean {
  return (
    stats.mtimeMs === placeholderMark * 1000 &&
    (stats.isDirectory() || (stats.isFile() && stats.size <= largestPlaceholder))
  );
}

/** Whether a command could not create the path either: the file system is read-only, or the folder is another user's. */
async function isBeyondReach(error: unknown, path: string): Promise<boolean> {
  const code = errorCode(error);
  if (code === "EROFS") return true;
  if (code !== "EACCES" && code !== "EPERM") return false;
  return (await lstat(dirname(path))).uid !== process.geteuid?.();
}
