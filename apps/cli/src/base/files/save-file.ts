import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { UsageError } from "../errors/usage-error.ts";
import { oneLine } from "../terminal/text.ts";

/**
 * Writes a file as a whole or not at all, readable by its owner only. `option` is the one that named it, for messages.
 *
 * @throws UsageError if it exists and is not to be replaced, or cannot be created
 */
export async function saveFile(
  option: string,
  file: string,
  chunks: AsyncIterable<string> | Iterable<string>,
  isReplacing: boolean,
): Promise<void> {
  const named = `${option} ${oneLine(file, 200)}`;
  await refuseUnlessFile(named, file, option);
  const path = isReplacing ? `${file}.${crypto.randomUUID().slice(0, 8)}.part` : file;
  const handle = await created(path, named);
  try {
    // Not `write`, which on a disk that is about to be full writes a part and does not complain.
    for await (const chunk of chunks) await written(named, () => handle.writeFile(chunk));
    await written(named, () => handle.sync());
    await handle.close();
    if (isReplacing) await written(named, () => rename(path, file));
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}

/** A device or a pipe that is replaced is gone. */
async function refuseUnlessFile(named: string, file: string, option: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found || found.isFile()) return;
  throw new UsageError(`${named}: it is not a regular file. Leave ${option} out to write to stdout.`);
}

async function written(named: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw new Error(`${named}: ${(cause as Error).message}. It was not written.`, { cause });
  }
}

async function created(path: string, named: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const problem = code === "EEXIST" ? "it exists. Give --force to overwrite it" : message;
    throw new UsageError(`${named}: ${problem}.`, { cause });
  }
}
