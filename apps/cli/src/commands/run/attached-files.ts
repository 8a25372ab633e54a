import { open, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Attachment } from "@cogency/protocol";
import { attachmentOf } from "@cogency/toolbox";
import { UsageError } from "../../errors/usage-error.ts";
import { note } from "../../terminal/note.ts";
import { oneLine } from "../../terminal/text.ts";

/** A file that a person attached to a prompt. */
export interface AttachedFile {
  /** The path as it was typed. */
  asked: string;
  /** The real path. */
  real: string;
  attachment: Attachment;
}

/**
 * Reads the images and PDF files that a prompt mentions as `@path`, `@"a path"` or `@'a path'`. A mention of anything else stays text;
 * one of a file with the ending of an image or a PDF must be one.
 *
 * @throws UsageError for such a file that is missing or cannot be attached
 */
export async function mentionedFiles(prompt: string): Promise<AttachedFile[]> {
  const files: AttachedFile[] = [];
  for (const { groups = {} } of prompt.matchAll(mention)) {
    const { quoted = groups.single, plain = "" } = groups;
    const file = await mentionedFile(quoted === undefined ? candidates(plain) : [quoted]);
    if (file) files.push(file);
  }
  return files;
}

/** `@` after a character that belongs to a word, as in an address, mentions nothing. */
const mention = /(?<![^\s("'`[{<])@(?:"(?<quoted>[^"\n]+)"|'(?<single>[^'\n]+)'|(?<plain>[^\s"'`]+))/g;

/** The path, and without the punctuation that may end its sentence. */
function candidates(plain: string): string[] {
  const bare = plain.replace(/[.,;:!?)\]}>…]+$/, "");
  return bare === plain || bare === "" ? [plain] : [plain, bare];
}

const attachedEnding = /\.(?:png|jpe?g|gif|webp|pdf)$/i;

async function mentionedFile(paths: readonly string[]): Promise<AttachedFile | undefined> {
  const claimed = paths.find((path) => attachedEnding.test(path));
  for (const path of paths) {
    const stats = await stat(placeOf(path)).catch(() => undefined);
    if (!stats) continue;
    if (claimed !== undefined) return attachedFile(path);
    if (!stats.isFile()) return undefined;
    const file = await readFile(path, stats.size).catch(() => undefined);
    if (!file)
      note(`${oneLine(`@${path}`, 200)} is not attached, only its name: it is no image or PDF of at most 20 MiB.`);
    return file;
  }
  return claimed === undefined ? undefined : attachedFile(claimed);
}

/**
 * Reads a file to attach. What it is, its first bytes say.
 *
 * @throws UsageError
 */
export async function attachedFile(path: string): Promise<AttachedFile> {
  const shown = oneLine(path, 200);
  const refused = (why: string) => new UsageError(`${shown} cannot be attached: ${why}`);
  try {
    const stats = await stat(placeOf(path));
    if (!stats.isFile()) throw refused("it is not a regular file.");
    const file = await readFile(path, stats.size);
    if (file) return file;
    throw refused(
      stats.size > largest
        ? `it has ${stats.size} bytes, and at most ${largest} are allowed. Make it smaller.`
        : "it does not begin like a PNG, JPEG, GIF or WebP image or a PDF file.",
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    throw refused(isMissing ? "there is no such file. Paths begin at the current folder." : `the system says ${code}.`);
  }
}

/** Undefined for a file that is too large, and one that is neither an image nor a PDF. */
async function readFile(path: string, size: number): Promise<AttachedFile | undefined> {
  if (size > largest) return undefined;
  const place = placeOf(path);
  const handle = await open(place);
  try {
    const attachment = attachmentOf(await handle.readFile(), basename(place));
    return attachment && { asked: path, real: await realpath(place), attachment };
  } finally {
    await handle.close();
  }
}

/** In bytes: the most that the agent takes. */
const largest = 20 * 1024 * 1024;

/** `~` is that of the shell, which leaves it alone inside of a text. */
function placeOf(path: string): string {
  return /^~[\\/]/.test(path) ? join(homedir(), path.slice(2)) : resolve(path);
}
