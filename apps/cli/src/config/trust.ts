import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../errors/usage-error.ts";
import { configurationFolder } from "../setup/configuration-folder.ts";
import { oneLine } from "../terminal/text.ts";
import { parsed, readText } from "./config-file.ts";
import { isObject } from "./config-problem.ts";
import { replaceFile, withLock } from "./with-lock.ts";

/** What a person said about a folder and what is below it. */
interface Entry {
  readonly trusted: boolean;
  /** By the project's folder: the digest of what its configuration could run when it was trusted; "" for nothing. */
  readonly reviewed?: { readonly [top: string]: string };
}

/**
 * - `trusted`: its own configuration counts
 * - `changed`: it was trusted, but its configuration could run something else now
 * - `refused`: a person said that it shall not count
 * - `unknown`: no person said anything
 */
export type Trust = "trusted" | "changed" | "refused" | "unknown";

/** The file that holds the trusted folders by their real paths. */
function trustFile(): string {
  return join(configurationFolder(), "trusted.json");
}

/** @returns what persons said, by folder @throws UsageError for a file that holds something else */
export function trustedFolders(): Readonly<Record<string, Entry>> {
  const file = trustFile();
  const text = readText(file);
  if (text === undefined) return {};
  if (process.platform !== "win32" && (statSync(file).mode & 0o022) !== 0)
    throw new UsageError(
      `${oneLine(file, 300)} cannot be used: others may write to it. Run: chmod 600 ${oneLine(file, 300)}`,
    );
  const content = parsed(file, text);
  const folders = isObject(content) ? content.folders : undefined;
  if (!isObject(folders) || !Object.values(folders).every((entry) => isObject(entry) && "trusted" in entry)) {
    throw new UsageError(`${oneLine(file, 300)} does not hold trusted folders. Remove it, and trust them again.`);
  }
  return folders as Record<string, Entry>;
}

/** The entry for a folder or for the nearest one above it. */
function entryFor(folder: string): { folder: string; entry: Entry } | undefined {
  const folders = trustedFolders();
  for (let place = folder; ; place = dirname(place)) {
    const entry = Object.hasOwn(folders, place) ? folders[place] : undefined;
    if (entry) return { folder: place, entry };
    if (dirname(place) === place) return undefined;
  }
}

/** Whether a person trusts a folder, whatever it configures. @param folder its real path */
export function isTrustedFolder(folder: string): boolean {
  return entryFor(folder)?.entry.trusted === true;
}

/**
 * Whether the configuration of a project counts. The first configuration of a project below a trusted folder is trusted with it,
 * and remembered.
 *
 * @param top the real path of the project
 * @param digest what its configuration could run; see `reviewDigest`
 */
export async function trustOf(top: string, digest: string): Promise<Trust> {
  const found = entryFor(top);
  if (!found) return "unknown";
  if (!found.entry.trusted) return "refused";
  const reviewed = found.entry.reviewed?.[top];
  // What can run nothing needs no second look.
  if (reviewed !== undefined) return reviewed === digest || digest === "" ? "trusted" : "changed";
  // Where the file cannot be written, the next run decides anew.
  await remember(found.folder, top, digest).catch(() => {});
  return "trusted";
}

/** Keeps what a person said about a project or another folder. @param digest what it could run when they looked at it */
export async function setTrust(folder: string, trusted: boolean, digest: string): Promise<void> {
  await change((folders) => ({
    ...folders,
    [folder]: { trusted, ...(trusted && { reviewed: { [folder]: digest } }) },
  }));
}

/** Forgets what was said about a folder. @returns whether there was something */
export async function forgetTrust(folder: string): Promise<boolean> {
  if (!Object.hasOwn(trustedFolders(), folder)) return false;
  await change(({ [folder]: _, ...rest }) => rest);
  return true;
}

/** Keeps what a project below a trusted folder could run when it was first used. */
async function remember(folder: string, top: string, digest: string): Promise<void> {
  await change((folders) => {
    const entry = folders[folder];
    if (!entry?.trusted) return folders;
    return { ...folders, [folder]: { ...entry, reviewed: { ...entry.reviewed, [top]: digest } } };
  });
}

async function change(by: (folders: Readonly<Record<string, Entry>>) => Record<string, Entry>): Promise<void> {
  const file = trustFile();
  await withLock(file, async () => {
    await replaceFile(file, `${JSON.stringify({ folders: by(trustedFolders()) }, undefined, 2)}\n`, 0o600);
  });
}
