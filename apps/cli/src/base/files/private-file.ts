import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { UsageError } from "../errors/usage-error.ts";

/** Makes the error for a file or folder that cannot be used. */
export type Refuse = (path: string, problem: string, advice: string) => UsageError;

/**
 * Reads a file with secrets; undefined if there is none. One that another user could read or write is refused, because what it
 * holds is not secret.
 *
 * @throws what `refuse` makes, if another user can read or write the file or write to its folder, or if it is too large
 */
export async function readPrivateFile(path: string, refuse: Refuse): Promise<string | undefined> {
  await checkFolder(dirname(path), refuse);
  const handle = await opened(path, refuse);
  if (!handle) return undefined;
  try {
    await checkFile(handle, path, refuse);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

const mostBytes = 65_536;

/** @throws what `refuse` makes, if the folder belongs to another user, or others may write to it; does nothing if there is none */
export async function checkFolder(folder: string, refuse: Refuse): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isDirectory()) throw refuse(folder, "it is not a folder", "Move it away.");
  checkOwner(folder, found.uid, refuse);
  if (hasModes && (found.mode & 0o022) !== 0)
    throw refuse(folder, "others may write to it", `Run: chmod 700 ${folder}`);
}

async function opened(path: string, refuse: Refuse): Promise<FileHandle | undefined> {
  try {
    // These flags neither follow a link nor wait for the other end of a pipe.
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw refuse(path, "it is a link", "Put the file itself there.");
    throw refuse(path, `it cannot be opened (${code})`, "Make it yours, or remove it.");
  }
}

async function checkFile(handle: FileHandle, path: string, refuse: Refuse): Promise<void> {
  const { mode, uid, size } = await handle.stat();
  const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
  if (!isFile) throw refuse(path, "it is not a regular file", "Move it away.");
  checkOwner(path, uid, refuse);
  if (hasModes && (mode & 0o077) !== 0) {
    throw refuse(
      path,
      "others may read or write it",
      `If no other user has read it, run: chmod 600 ${path}. Otherwise remove it.`,
    );
  }
  if (size > mostBytes) throw refuse(path, "it is too large", "Remove it.");
}

function checkOwner(path: string, owner: number, refuse: Refuse): void {
  const user = process.getuid?.();
  if (user === undefined || owner === user) return;
  throw refuse(
    path,
    `it belongs to the user ${owner}, and this process is the user ${user}`,
    "Use a folder of your own: set XDG_CONFIG_HOME.",
  );
}

const hasModes = process.platform !== "win32";
