import type { FileHandle } from "node:fs/promises";
import type { ConfinedFolder } from "./confined-folder.ts";

/** The whole text of a file, or why there is none. `size` is in bytes. */
export type TextFile =
  | { kind: "text"; text: string; size: number }
  | { kind: "too_large"; size: number }
  | { kind: "not_text" }
  | { kind: "not_a_file" }
  | { kind: "changed" };

/** Reads UTF-8 text of at most `limit` bytes. A byte order mark is kept, so that writing the text back changes nothing. */
export async function readTextFile(folder: ConfinedFolder, name: string, limit: number): Promise<TextFile> {
  const handle = await folder.openFile(name);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { kind: "not_a_file" };
    if (stats.size > limit) return { kind: "too_large", size: stats.size };
    // One byte more than there should be: a file that grew in the meantime is not given cut off.
    const bytes = new Uint8Array(stats.size + 1);
    const size = await readInto(handle, bytes);
    if (size === bytes.length) return { kind: "changed" };
    const text = decode(bytes.subarray(0, size));
    return text === undefined ? { kind: "not_text" } : { kind: "text", text, size };
  } finally {
    await handle.close();
  }
}

async function readInto(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
