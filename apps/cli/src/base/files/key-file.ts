import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KeyRing } from "@cogency/tools";
import { keyRingFile } from "@cogency/tools/node";
import { UsageError } from "../errors/usage-error.ts";
import { checkFolder } from "./private-file.ts";

/** The file in the configuration folder that holds the installation's keys. */
export const keyFileName = "keys";

/**
 * Reads the keys, or makes the file with one new key. A file that another user could read or write is refused, because its keys are
 * not secret.
 *
 * @throws UsageError if another user can read or write the file or write to its folder, and if the file holds something else; the
 * error of the system where the file cannot be made
 */
export async function openKeyFile(folder: string): Promise<KeyRing> {
  const file = join(folder, keyFileName);
  await checkFolder(folder, refused);
  try {
    return await keyRingFile(file);
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (code === "key_ring_file") throw new UsageError(message.replace("The key ring cannot be read from ", unusable));
    if (path === file) throw refused(file, `it cannot be opened (${code})`, "Make it yours, or remove it.");
    throw error;
  }
}

/** Reads the keys without making any; undefined if there is no file. @throws UsageError as `openKeyFile` does */
export async function existingKeyFile(folder: string): Promise<KeyRing | undefined> {
  return existsSync(join(folder, keyFileName)) ? openKeyFile(folder) : undefined;
}

function refused(path: string, problem: string, advice: string): UsageError {
  return new UsageError(`${unusable}${path}: ${problem}. ${advice}`);
}

const unusable = "The key of this installation cannot be used: ";
