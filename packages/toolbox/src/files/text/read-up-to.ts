import type { FileHandle } from "node:fs/promises";

/**
 * Reads at most `most` bytes from the beginning of a file, wherever the handle stands. `size` is only a hint: a file may grow, and
 * files of /proc report 0.
 */
export async function readUpTo(handle: FileHandle, most: number, size: number): Promise<Uint8Array> {
  let bytes = new Uint8Array(Math.min(most, size > 0 ? size + 1 : sizeUnknown));
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
    filled += bytesRead;
    if (bytesRead === 0 || filled === most) return bytes.subarray(0, filled);
    if (filled < bytes.length) continue;
    const larger = new Uint8Array(Math.min(most, 2 * filled));
    larger.set(bytes);
    bytes = larger;
  }
}

/** Bytes to read first if the size is unknown: some files of /proc return their content only to the first read. */
const sizeUnknown = 64 * 1024;
