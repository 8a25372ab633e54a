import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import type { Root } from "../confine/root.ts";
import type { Reach } from "../guard/reach.ts";

/**
 * Opens a file or folder by its real path and passes its descriptor to `use`. Undefined if a link stands anywhere on the path, so
 * that nothing outside of the root is read, and if the system refuses.
 */
export function useVerified<T>(root: Root, real: string, flags: number, use: (descriptor: number) => T): T | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = root.anchor === "descriptor" ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync(real);
    return opened === real ? use(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The bytes of a regular file in a root, of at most `most`. Undefined if it cannot be read, or is guarded. */
export async function readVerified(
  root: Root,
  reach: Reach,
  real: string,
  most: number,
): Promise<Uint8Array | undefined> {
  const read = useVerified(root, real, constants.O_RDONLY, (descriptor) => {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile() || stats.size > BigInt(most)) return undefined;
    const bytes = Buffer.allocUnsafe(Number(stats.size) + 1);
    let length = 0;
    for (let count = 1; count > 0 && length < bytes.length; length += count) {
      count = readSync(descriptor, bytes, length, bytes.length - length, length);
    }
    // More than its size says: it is being written.
    return length === bytes.length ? undefined : { stats, bytes: bytes.subarray(0, length) };
  });
  if (read === undefined) return undefined;
  const isRefused = await reach.check(real, read.stats, real, real).then(
    () => false,
    () => true,
  );
  return isRefused ? undefined : read.bytes;
}
