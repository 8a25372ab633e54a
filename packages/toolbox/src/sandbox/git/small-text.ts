import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** In bytes: larger files of git are not read. */
export const largestGitFile = 1024 * 1024;

/**
 * Reads the text of a regular file. It does not wait for a pipe and does not follow a link.
 *
 * @returns undefined if there is no regular file, or if it is larger than `limit`
 */
export async function smallText(path: string, limit = largestGitFile): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > limit) return undefined;
    const bytes = Buffer.alloc(stats.size + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytesRead > limit ? undefined : bytes.toString("utf8", 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
