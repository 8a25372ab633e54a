import { randomBytes } from "node:crypto";
import { createKeyRing, type KeyRing } from "@cogency/tools";
import { UsageError } from "../errors/usage-error.ts";
import { note } from "../terminal/note.ts";
import { oneLine } from "../terminal/text.ts";
import { configurationFolder } from "./configuration-folder.ts";
import { readKeys, readOrMakeKeys } from "./key-file.ts";

/**
 * The ring of this installation, by which it knows what it has signed itself. It lies beside no store: a store that somebody
 * hands over could bring its key. Where no file can be made a key of this process takes its place, and stderr says so.
 *
 * @throws UsageError for a file that is not the user's alone
 */
export async function installationKeys(folder = configurationFolder()): Promise<KeyRing> {
  try {
    return createKeyRing(await readOrMakeKeys(folder));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = "an unknown problem" } = error as NodeJS.ErrnoException;
    note(
      `No key can be kept in ${oneLine(folder, 200)} (${code}): what you approve now is asked again after a restart.`,
    );
    return processKeys();
  }
}

/** A ring of this process only: what it signs counts until the process ends. */
export function processKeys(): KeyRing {
  return createKeyRing([Uint8Array.from(randomBytes(32))]);
}

/** The ring as it is: to look is not to create. Undefined where there is none that can be used. */
export async function existingKeys(folder = configurationFolder()): Promise<KeyRing | undefined> {
  const keys = await readKeys(folder).catch(() => undefined);
  return keys && createKeyRing(keys);
}
