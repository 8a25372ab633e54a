import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { LoginError } from "../client/auth/login-error.ts";

const mostBytes = 4_194_304;
const hasModes = process.platform !== "win32";

/**
 * The text of a file with secrets; undefined if there is none.
 *
 * @throws LoginError `unreadable_store` if another user could have read or written it, or if it is a link or too large
 */
export async function readPrivate(path: string): Promise<string | undefined> {
  await checkFolder(dirname(path));
  const handle = await opened(path);
  if (!handle) return undefined;
  try {
    const { mode, uid, size } = await handle.stat();
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw refusal(path, "is not a regular file", "Move it away.");
    checkOwner(path, uid);
    if (hasModes && (mode & 0o077) !== 0) {
      throw refusal(
        path,
        "can be read by others",
        "If nobody has read it, run `chmod 600` for it. Otherwise remove it.",
      );
    }
    if (size > mostBytes) throw refusal(path, "is larger than 4 MiB", "Move it away.");
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** @throws LoginError `unreadable_store` if others may write to the folder; does nothing if there is none */
export async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(unlessMissing);
  if (!found) return;
  if (!found.isDirectory()) throw refusal(folder, "is not a folder", "Move it away.");
  checkOwner(folder, found.uid);
  if (hasModes && (found.mode & 0o022) !== 0) {
    throw refusal(folder, "can be written to by others", "Run `chmod 700` for it.");
  }
}

async function opened(path: string) {
  try {
    // These flags neither follow a link nor wait for the other end of a pipe.
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw refusal(path, "is a link", "Put the file itself there.");
    throw refusal(path, `cannot be opened (${code})`, "Make it yours, or remove it.");
  }
}

function checkOwner(path: string, owner: number): void {
  const user = process.getuid?.();
  if (user === undefined || owner === user) return;
  throw refusal(path, `belongs to the user ${owner}, and this process is the user ${user}`, "Use another folder.");
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

function refusal(path: string, problem: string, advice: string): LoginError {
  return new LoginError("unreadable_store", `${path} ${problem}. ${advice}`);
}
