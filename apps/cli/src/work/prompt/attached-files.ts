import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Attachment } from "@cogency/protocol";
import { nearestNames } from "@cogency/protocol/options";
import { attachmentOf, twinName } from "@cogency/toolbox/files";
import { UsageError } from "../../base/errors/usage-error.ts";
import { FileError, type FileLimits, isBelow, readRegularFile } from "../../base/files/read-regular-file.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { textIn } from "./text-in.ts";

/** A file that a person attached to a prompt: an image or a PDF, or the text of any other file. */
export type AttachedFile = {
  /** The path as it was typed. */
  asked: string;
  /** The real path. */
  real: string;
  /** Whether it is from a server, for which nobody vouches. */
  isUntrusted?: true;
} & ({ attachment: Attachment; text?: undefined } | { text: string; attachment?: undefined });

/**
 * Reads the files that a prompt mentions as `@path`, `@a\\ path`, `@"a path"` or `@'a path'`. A mention of nothing stays text, such as `@ada`; but
 * what can only be a file must be one: a path with an ending, or one that begins with `./`, `/` or `~/`. Of a folder the model gets the
 * name.
 *
 * @param root the folder of the project; see `attachedFile`
 * @param limits where such a file must be, in a text that the person did not write
 * @throws UsageError for such a file that is missing, and any file that cannot be attached
 */
export async function mentionedFiles(prompt: string, root: string, limits: AttachLimits = {}): Promise<AttachedFile[]> {
  const files: AttachedFile[] = [];
  for (const asked of mentionsIn(prompt)) {
    const file = await mentionedFile(asked, root, limits);
    if (file) files.push(file);
  }
  return files;
}

/** What stands behind each `@` of a prompt: whole, and without the punctuation that may end its sentence. */
export function mentionsIn(prompt: string): string[][] {
  return Array.from(prompt.matchAll(mention), ({ groups = {} }) => {
    const { quoted = groups.single, plain = "" } = groups;
    return quoted === undefined ? candidates(unescaped(plain)) : [quoted];
  });
}

/** What may be the name of a server in a mention of one of its resources: `docs` of `docs:file:///notes.md`. */
export function serverOf(mentioned: string): string | undefined {
  return /^([a-z][a-z0-9_-]*):./i.exec(mentioned)?.[1];
}

/** `@` after a character that belongs to a word, as in an address, mentions nothing. */
const mention = /(?<![^\s("'`[{<])@(?:"(?<quoted>[^"\n]+)"|'(?<single>[^'\n]+)'|(?<plain>(?:\\[\s"'`()]|[^\s"'`])+))/g;

/** A path as a terminal writes that of a file which was dragged into it: `My\ File.txt`. */
function unescaped(plain: string): string {
  return plain.replace(/\\([\s"'`()])/g, "$1");
}

/** The path, and without the punctuation that may end its sentence. */
function candidates(plain: string): string[] {
  const bare = plain.replace(/[.,;:!?)\]}>…]+$/, "");
  return bare === plain || bare === "" ? [plain] : [plain, bare];
}

/** What names nothing but a file: `a.ts`, `./a`, `~/a`, and no `@app.route("/")`. */
const onlyFile = /^(?:\.{0,2}\/|~\/)[^()]+$|^[^()]*[^()./]\.[a-z][a-z0-9]{0,4}$/i;

/** Where a file must be that is attached. */
export interface AttachLimits extends Pick<FileLimits, "within" | "guarded"> {
  /** Mentions that are left out, as they were typed. */
  readonly except?: ReadonlySet<string>;
  /** The names of servers: mentions of their resources are left out. */
  readonly servers?: ReadonlySet<string>;
}

async function mentionedFile(
  asked: readonly string[],
  root: string,
  limits: AttachLimits,
): Promise<AttachedFile | undefined> {
  if (limits.servers?.has(serverOf(asked[0] ?? "") ?? "")) return undefined;
  const paths = await Promise.all(asked.map(meantPath));
  if (paths.some((path) => limits.except?.has(path))) return undefined;
  for (const path of paths) {
    const stats = await stat(placeOf(path)).catch(() => undefined);
    if (!stats) continue;
    if (!stats.isDirectory() || attachedEnding.test(path)) return attachedFile(path, root, limits);
    note(`${oneLine(`@${path}`, 200)} is a folder: the model gets its name, and may look into it.`);
    return undefined;
  }
  const missing = paths.find((path) => onlyFile.test(path) && !/[.,;:!?]$/.test(path));
  return missing === undefined ? undefined : attachedFile(missing, root, limits);
}

const attachedEnding = /\.(?:png|jpe?g|gif|webp|pdf)$/i;

/**
 * Reads a file to attach. What it is, its bytes say. A path in the project or in the current folder must not lead out of it: a link
 * of a repository would choose what is sent.
 *
 * @param root the folder of the project
 * @throws UsageError for a file that is missing, is outside though its path is inside, is too large, or is neither text, an image nor a PDF
 */
export async function attachedFile(asked: string, root: string, limits: AttachLimits = {}): Promise<AttachedFile> {
  const path = await meantPath(asked);
  const refused = (why: string) => new UsageError(`${oneLine(path, 200)} cannot be attached: ${why}`);
  const found = await attachable(path, root, limits, refused).catch((error: unknown) => {
    throw error instanceof FileError ? refused(`${error.why}.`) : error;
  });
  if (found) return found;
  throw refused(`there is no such file. ${await nearestTo(path)}`);
}

async function attachable(
  path: string,
  root: string,
  limits: AttachLimits,
  refused: (why: string) => UsageError,
): Promise<AttachedFile | undefined> {
  const place = placeOf(path);
  const found = readRegularFile(place, { ...limits, most: largest });
  if (!found) return undefined;
  const { bytes, real } = found;
  if (await leadsOut(place, real, [root, "."]))
    throw refused(`it leads out of this folder, to ${oneLine(real, 400)}. If you mean that file, type that path.`);
  const attachment = attachmentOf(bytes, basename(place));
  if (attachment) return { asked: path, real, attachment };
  if (attachedEnding.test(path)) throw refused("it does not begin like a PNG, JPEG, GIF or WebP image or a PDF file.");
  const text = textIn(bytes);
  if (text === undefined) throw refused("it is neither text in UTF-8 or UTF-16 nor an image or a PDF.");
  if (bytes.length <= longestText) return { asked: path, real, text };
  throw refused(
    `it has ${bytes.length} bytes, and at most ${longestText} of a text are sent. Name it without @, and the agent reads it in pages.`,
  );
}

/** The path, or that of the one file beside it whose name looks the same: it differs in kinds of spaces or quotes, or in normalization. */
async function meantPath(path: string): Promise<string> {
  const place = placeOf(path);
  if (await stat(place).catch(() => undefined)) return path;
  const twin = twinName(basename(place), await readdir(dirname(place)).catch(() => []));
  return twin === undefined ? path : path.slice(0, path.length - basename(path).length) + twin;
}

/** What a person may have meant by a file that is missing. */
async function nearestTo(path: string): Promise<string> {
  const folder = dirname(placeOf(path));
  const names = await readdir(folder).catch(() => []);
  const [nearest] = nearestNames(basename(path), names);
  if (nearest === undefined) return "Paths begin at the current folder.";
  const before = path.slice(0, path.length - basename(path).length);
  return `Did you mean ${oneLine(before + nearest, 200)}?`;
}

/** In bytes: the most that the agent takes. */
const largest = 20 * 1024 * 1024;

/** In bytes. A longer text would crowd out the conversation. */
export const longestText = 256 * 1024;

/** `~` is that of the shell, which leaves it alone inside of a text. */
function placeOf(path: string): string {
  return /^~[\\/]/.test(path) ? join(homedir(), path.slice(2)) : resolve(path);
}

/**
 * Whether a path lies in one of the folders by its name, and outside of all of them by its real path: it goes through a link, such
 * as a repository may bring along.
 *
 * @param path absolute, as it was typed
 * @param real its real path
 */
async function leadsOut(path: string, real: string, folders: readonly string[]): Promise<boolean> {
  const named = folders.map((folder) => resolve(folder));
  const places = await Promise.all(named.map((folder) => realpath(folder).catch(() => folder)));
  const isInside = (one: string) => (folder: string) => isBelow(folder, one);
  return [...named, ...places].some(isInside(path)) && !places.some(isInside(real));
}
