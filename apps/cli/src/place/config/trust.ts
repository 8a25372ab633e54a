import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { replaceFile, withLock } from "../../base/files/with-lock.ts";
import { isObject } from "../../base/is-object.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { ProjectFiles } from "./project.ts";
import type { Protection } from "./protection.ts";

/** What a person said about a folder and what is below it. */
interface Entry {
  readonly trusted: boolean;
}

/** What a configuration was when a person last looked at it. */
export interface Seen {
  /** What it could run, reach or leave unprotected; "" for nothing. See `digestOf`. */
  readonly digest: string;
  /** What of it protects. It counts until the person has looked at the change that takes it away. */
  readonly protection?: Protection | undefined;
}

interface TrustFile {
  /** By real path. */
  readonly folders: Readonly<Record<string, Entry>>;
  /** By the folder that configures something; see `ProjectFiles.place`. Each stands by itself. */
  readonly seen: Readonly<Record<string, Seen>>;
  /** The hashes of AGENTS.md files and skills, by path, as a person last saw them. */
  readonly instructions: Readonly<Record<string, string>>;
}

/**
 * - `trusted`: its own configuration counts
 * - `changed`: it was trusted, but its configuration could run something else now, or protects less
 * - `unseen`: a folder above it is trusted, but no person has looked at this configuration
 * - `refused`: a person said that it shall not count
 * - `unknown`: no person said anything
 */
export type Trust = "trusted" | "changed" | "unseen" | "refused" | "unknown";

/** The file that holds the trusted folders by their real paths. */
function trustFile(): string {
  return join(configurationFolder(), "trusted.json");
}

/** @returns what persons said, by folder @throws UsageError for a file that holds something else */
export function trustedFolders(): Readonly<Record<string, Entry>> {
  return read().folders;
}

function read(): TrustFile {
  const file = trustFile();
  const text = readRegularText(file, { most: mostBytes });
  if (text === undefined) return { folders: {}, seen: {}, instructions: {} };
  if (process.platform !== "win32" && (statSync(file).mode & 0o022) !== 0)
    throw new UsageError(
      `${oneLine(file, 300)} cannot be used: others may write to it. Run: chmod 600 ${oneLine(file, 300)}`,
    );
  const content = parseJson(file, text);
  // What is missing was not seen: an earlier version kept less.
  const { folders, seen = {}, instructions = {} } = isObject(content) ? content : {};
  const isUsable =
    isTable(folders, (entry) => isObject(entry) && "trusted" in entry) &&
    isTable(seen, (one) => isObject(one) && typeof one.digest === "string") &&
    isTable(instructions, (hash) => typeof hash === "string");
  if (!isUsable)
    throw new UsageError(`${oneLine(file, 300)} does not hold trusted folders. Remove it, and trust them again.`);
  return { folders, seen, instructions } as unknown as TrustFile;
}

const mostBytes = 16 * 1_048_576;

function isTable(value: unknown, isRow: (row: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isRow);
}

/** The row of a folder, or of the nearest one above it. */
function nearest<T>(rows: Readonly<Record<string, T>>, folder: string): T | undefined {
  for (let place = folder; ; place = dirname(place)) {
    if (Object.hasOwn(rows, place)) return rows[place];
    if (dirname(place) === place) return undefined;
  }
}

/**
 * Whether a person trusts a folder, or one above it without another project in between: the first that has `.git` decides.
 *
 * @param folder its real path
 */
export function isTrustedFolder(folder: string): boolean {
  const folders = trustedFolders();
  for (let place = folder; ; place = dirname(place)) {
    if (Object.hasOwn(folders, place)) return folders[place]?.trusted === true;
    if (existsSync(join(place, ".git")) || dirname(place) === place) return false;
  }
}

/**
 * Whether the configuration of a project counts, and what a person saw of it. What can run nothing and takes away no protection counts
 * without a look.
 *
 * @param digest what the configuration could run, reach or leave unprotected; see `digestOf`
 */
export function trustOf(files: ProjectFiles, digest: string): { trust: Trust; seen: Seen | undefined } {
  const { folders, seen } = read();
  const entry = nearest(folders, files.top);
  if (!entry) return { trust: "unknown", seen: undefined };
  if (!entry.trusted) return { trust: "refused", seen: undefined };
  const at = files.folders.findLast((folder) => Object.hasOwn(seen, folder));
  const own = at === undefined ? undefined : seen[at];
  const known = own ?? nearest(seen, dirname(files.top));
  if (own?.digest === digest || (digest === "" && !known?.protection)) return { trust: "trusted", seen: known };
  // One that a person saw is gone, or says something else. One that is nearer to the root is new.
  const isChanged = at !== undefined && at.length >= files.place.length;
  return { trust: isChanged ? "changed" : "unseen", seen: known };
}

/** Whether a person has seen this text of an AGENTS.md file. */
export function hasSeen(file: string, hash: string): boolean {
  const { instructions } = read();
  return Object.hasOwn(instructions, file) && instructions[file] === hash;
}

/** Keeps what a person said about a project, and what they saw. @param instructions hashes of AGENTS.md files, by path */
export async function setTrust(
  files: ProjectFiles,
  trusted: boolean,
  seen: Seen,
  instructions: Readonly<Record<string, string>>,
): Promise<void> {
  await change((before) => {
    const folders = { ...before.folders, [files.top]: { trusted } };
    if (!trusted) return { ...before, folders };
    const gone = files.folders.filter((folder) => folder.length > files.place.length);
    return {
      folders,
      seen: { ...without(before.seen, gone), [files.place]: seen },
      instructions: { ...before.instructions, ...instructions },
    };
  });
}

/** Forgets what was said about a folder. @returns whether there was something */
export async function forgetTrust(folder: string): Promise<boolean> {
  if (!Object.hasOwn(trustedFolders(), folder)) return false;
  await change(({ folders, seen, instructions }) => ({
    folders: without(folders, [folder]),
    seen: without(seen, [folder]),
    instructions,
  }));
  return true;
}

function without<T>(rows: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !names.includes(name)));
}

async function change(by: (before: TrustFile) => TrustFile): Promise<void> {
  const file = trustFile();
  await withLock(file, async () => {
    await replaceFile(file, `${JSON.stringify(by(read()), undefined, 2)}\n`, 0o600);
  });
}
