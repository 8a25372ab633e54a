import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Bytes of the largest file of git that is looked into. */
export const largestGitFile = 1024 * 1024;

/**
 * The text of a regular file. A pipe is not waited for, a link is not followed, and of a file that is too large nothing is
 * read.
 *
 * @returns undefined if there is no such file
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
