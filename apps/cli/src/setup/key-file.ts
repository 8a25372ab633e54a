import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../errors/usage-error.ts";
import { readPrivateFile } from "./private-file.ts";

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
  const text = await readPrivateFile(path, refused);
  if (text === undefined) return undefined;
  const lines = text.split("\n").map((line) => line.trim());
  return keysOf(
    lines.filter((line) => line !== ""),
    path,
  );
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

function keysOf(lines: readonly string[], path: string): Uint8Array<ArrayBuffer>[] {
  if (lines.length === 0 || !lines.every((line) => new RegExp(`^[\\da-f]{${keyBytes * 2}}$`).test(line))) {
    throw malformed(path);
  }
  return lines.map((line) => Uint8Array.from(Buffer.from(line, "hex")));
}

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
