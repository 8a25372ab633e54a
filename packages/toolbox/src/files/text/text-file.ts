import { lstat } from "node:fs/promises";
import { ToolboxError } from "../../errors.ts";
import { errorCode, fromSystem } from "../../system-error.ts";
import type { ConfinedFolder } from "../confine/confined-folder.ts";
import { notRegular } from "../confine/existing-path.ts";
import { readUpTo } from "./read-up-to.ts";

/** The whole text of a file, or why there is none. `size` is in bytes; a file that is too large may be larger than that. */
export type TextFile =
  | { kind: "text"; text: string; size: number }
  | { kind: "too_large"; size: number }
  | { kind: "not_text" }
  | { kind: "not_a_file" };

/** The largest file that is searched or changed, in bytes. */
export const largestText = 1024 * 1024;

/** Reads UTF-8 text of at most `limit` bytes. A byte order mark is kept, so that writing the text back changes nothing. */
export async function readTextFile(folder: ConfinedFolder, name: string, limit: number): Promise<TextFile> {
  const handle = await folder.openFile(name);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { kind: "not_a_file" };
    if (stats.size > limit) return { kind: "too_large", size: stats.size };
    const bytes = await readUpTo(handle, limit + 1, stats.size);
    const size = bytes.length;
    if (size > limit) return { kind: "too_large", size };
    const text = decode(bytes);
    return text === undefined ? { kind: "not_text" } : { kind: "text", text, size };
  } finally {
    await handle.close();
  }
}

/**
 * The text of a file to change.
 *
 * @param asked the path as the model gave it
 * @throws ToolboxError also `too_large`, `not_text`, `not_a_file`
 */
export async function changeableText(folder: ConfinedFolder, name: string, asked: string): Promise<string> {
  const file = await readTextFile(folder, name, largestText);
  switch (file.kind) {
    case "text":
      return file.text;
    case "too_large": {
      const problem = `"${asked}" has at least ${file.size} bytes, more than the ${largestText} of a file that can be changed`;
      throw new ToolboxError("too_large", asked, `${problem}.`);
    }
    case "not_text":
      throw notText(asked);
    case "not_a_file":
      throw notRegular(asked);
  }
}

/** What a file holds; undefined if there is none, and NUL if it is no text, or too large to be changed. */
export async function textOnDisk(folder: ConfinedFolder, name: string): Promise<string | undefined> {
  try {
    await lstat(folder.at(name));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw fromSystem(error, folder.shown(name));
  }
  const file = await readTextFile(folder, name, 4 * largestText);
  return file.kind === "text" ? file.text : noText;
}

/** The text of no file: none holds NUL. */
const noText = "\0";

export function notText(asked: string): ToolboxError {
  return new ToolboxError("not_text", asked, `"${asked}" is not UTF-8 text: it holds binary data or another encoding.`);
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
