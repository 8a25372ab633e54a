import { randomBytes } from "node:crypto";
import { createKeyRing, type KeyRing } from "@cogency/tools";
import { configurationFolder } from "../base/configuration-folder.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { existingKeyFile, openKeyFile } from "../base/files/key-file.ts";
import { note } from "../base/terminal/note.ts";
import { oneLine } from "../base/terminal/text.ts";

/**
 * Returns the keys by which this installation recognizes its own signatures. They are never kept beside a store: a store
 * from somewhere else could bring a key along. If no key file can be written, uses a key of this process and says so on
 * stderr.
 *
 * @throws UsageError if another user can read or write the file
 */
export async function installationKeys(folder = configurationFolder()): Promise<KeyRing> {
  try {
    return await openKeyFile(folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = "an unknown problem" } = error as NodeJS.ErrnoException;
    note(
      `No key can be kept in ${oneLine(folder, 200)} (${code}): what you approve now is asked again after a restart.`,
    );
    return processKeys();
  }
}

/** Keys of this process only: their signatures are valid until it ends. */
export function processKeys(): KeyRing {
  return createKeyRing([Uint8Array.from(randomBytes(32))]);
}

/** Returns the keys without making any. Undefined if there are none, or none that can be used. */
export async function existingKeys(folder = configurationFolder()): Promise<KeyRing | undefined> {
  return existingKeyFile(folder).catch(() => undefined);
}
