import { randomBytes, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../errors/usage-error.ts";

/** The file in the configuration folder that holds the installation's keys. */
export const keyFileName = "keys";

/**
 * Reads the keys, one a line, the newest first; undefined if there is no file. A file that another user could read or
 * write is refused, because its keys are not secret.
 *
 * @throws UsageError if another user can read or write the file or its folder, and if the file holds something else
 */
export async function readKeys(folder: string): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const path = join(folder, keyFileName);
  await checkFolder(folder);
  const handle = await opened(path);
  if (!handle) return undefined;
  try {
    await checkFile(handle, path);
    const lines = (await handle.readFile("utf8")).split("\n").map((line) => line.trim());
    return keysOf(
      lines.filter((line) => line !== ""),
      path,
    );
  } finally {
    await handle.close();
  }
}

/**
 * Reads the keys, or makes the file with one new key. If several processes make it at once, all get the key of the first.
 *
 * @throws UsageError as `readKeys` does, and the system's error where the file cannot be made
 */
export async function readOrMakeKeys(folder: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const found = await readKeys(folder);
  if (found) return found;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, keyFileName);
  const draft = `${path}.${randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${randomBytes(keyBytes).toString("hex")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces the file of a faster process, and the file is complete when it appears.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKeys(folder)) ?? [];
}

const keyBytes = 32;
const mostBytes = 65_536;

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isDirectory()) throw refused(folder, "it is not a folder", "Move it away.");
  checkOwner(folder, found.uid);
  if (hasModes && (found.mode & 0o022) !== 0)
    throw refused(folder, "others may write to it", `Run: chmod 700 ${folder}`);
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    // These flags neither follow a link nor wait for the other end of a pipe.
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw refused(path, "it is a link", "Put the file itself there.");
    throw refused(path, `it cannot be opened (${code})`, "Make it yours, or remove it.");
  }
}

async function checkFile(handle: FileHandle, path: string): Promise<void> {
  const { mode, uid, size } = await handle.stat();
  const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
  if (!isFile) throw refused(path, "it is not a regular file", "Move it away.");
  checkOwner(path, uid);
  if (hasModes && (mode & 0o077) !== 0) {
    throw refused(
      path,
      "others may read or write it",
      `If no other user has read it, run: chmod 600 ${path}. Otherwise remove it.`,
    );
  }
  if (size > mostBytes) throw malformed(path);
}

function keysOf(lines: readonly string[], path: string): Uint8Array<ArrayBuffer>[] {
  if (lines.length === 0 || !lines.every((line) => new RegExp(`^[\\da-f]{${keyBytes * 2}}$`).test(line))) {
    throw malformed(path);
  }
  return lines.map((line) => Uint8Array.from(Buffer.from(line, "hex")));
}

function checkOwner(path: string, owner: number): void {
  const user = process.getuid?.();
  if (user === undefined || owner === user) return;
  throw refused(
    path,
    `it belongs to the user ${owner}, and this process is the user ${user}`,
    "Use a folder of your own: set XDG_CONFIG_HOME.",
  );
}

const hasModes = process.platform !== "win32";

function malformed(path: string): UsageError {
  return refused(
    path,
    `it is not made of lines of ${keyBytes * 2} hexadecimal digits`,
    "Remove it, and a new one is made.",
  );
}

function refused(path: string, problem: string, advice: string): UsageError {
  return new UsageError(`The key of this installation cannot be used: ${path}: ${problem}. ${advice}`);
}
