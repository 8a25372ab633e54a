import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { checkOption, name, required } from "@cogency/protocol/options";
import { createKeyRing, type KeyRing } from "../approval/key-ring.ts";

/**
 * The key ring in a file: one secret a line, each of 64 hexadecimal digits, the newest first. Makes the file with one new secret if there
 * is none, and its folder; of several processes at once all get the secret of the first. To change the key, put a new line first.
 *
 * Keep the file where no tool can read it, and never beside the store: whoever has it can sign answers. Machines that share a store need
 * the same file.
 *
 * @param path `~` is not expanded
 * @throws Error with the `code` `key_ring_file` for a file that other users can read or write, that belongs to another user, is a link,
 * no regular file, too large, or holds something else; the error of the system where it cannot be read or made
 *
 * @example
 * createAgent({ provider, store: await sqliteStore({ path: "agent.db" }), keyRing: await keyRingFile("/home/ada/.config/agent/keys") })
 */
export async function keyRingFile(path: string): Promise<KeyRing> {
  checkOption("keyRingFile", "path", path, required(name));
  const found = await readSecrets(path);
  if (found) return createKeyRing(found);
  await makeFile(path);
  return createKeyRing((await readSecrets(path)) ?? []);
}

/** Undefined if there is no file. */
async function readSecrets(path: string): Promise<Uint8Array[] | undefined> {
  const handle = await opened(path);
  if (!handle) return undefined;
  try {
    await checkFile(handle, path);
    return secretsIn(await handle.readFile("utf8"), path);
  } finally {
    await handle.close();
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    // These flags neither follow a link nor wait for the other end of a pipe.
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw refused(path, "it is a link", "Give the path of the file itself.");
    throw error;
  }
}

async function checkFile(handle: FileHandle, path: string): Promise<void> {
  const { mode, uid, size } = await handle.stat();
  if ((mode & constants.S_IFMT) !== constants.S_IFREG) {
    throw refused(path, "it is no regular file", "Give another path.");
  }
  const user = process.getuid?.();
  if (user !== undefined && uid !== user) {
    throw refused(
      path,
      `it belongs to the user ${uid}, and this process is the user ${user}`,
      "Give a file of your own.",
    );
  }
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    const advice = `If no other user has read it, run: chmod 600 ${path}. Otherwise remove it: a new one is made.`;
    throw refused(path, "other users may read or write it", advice);
  }
  if (size > mostBytes) throw refused(path, `it has more than ${mostBytes} bytes`, "Give another path.");
}

const mostBytes = 65_536;

function secretsIn(text: string, path: string): Uint8Array[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 0 && lines.every((line) => /^[\da-f]{64}\s*$/.test(line))) {
    return lines.map((line) => Uint8Array.from(Buffer.from(line.trim(), "hex")));
  }
  throw refused(path, "it is not made of lines of 64 hexadecimal digits", "Remove it, and a new one is made.");
}

/** The file is complete when it appears, and that of a faster process stays. */
async function makeFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link replaces nothing.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

function refused(path: string, problem: string, advice: string): Error & { code: "key_ring_file" } {
  return Object.assign(new Error(`The key ring cannot be read from ${path}: ${problem}. ${advice}`), {
    code: "key_ring_file" as const,
  });
}
