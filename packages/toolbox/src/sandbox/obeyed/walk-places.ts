import type { Dirent } from "node:fs";
import { chmod, lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "../../files/guard/is-inside.ts";
import { foldPath } from "../../files/guard/reach.ts";
import { errorCode } from "../../system-error.ts";

/** What programs outside the sandbox obey in a root, wherever it stands. */
export interface Places {
  /** Every `.git`: a folder, a file or a link. */
  readonly pointers: readonly string[];
  /** Folders that git recognises as repositories without a `.git`. */
  readonly bare: readonly string[];
  /** Configuration and instructions. */
  readonly named: readonly string[];
  /** Folders that could not be read. */
  readonly unreadable: readonly string[];
  /** Whether folders more than three levels deep were left out, because there are too many. */
  readonly isCut: boolean;
}

/** Where to look, and for what. */
export interface Grounds {
  /** The real path of the folder where commands run. */
  readonly base: string;
  /** The real path of the outermost folder that a command may change; it holds `base`. */
  readonly top: string;
  /** The names of configuration and instructions. */
  readonly names: readonly string[];
}

/**
 * Looks through all folders below the base, level by level, without following links and without `node_modules`, and at the
 * folders above it. With a limit on all folders, a command could hide something behind many: the first levels have none.
 *
 * @param opened folders that could not be read before are left alone; a command may have closed any other, and it is opened
 */
export async function walkPlaces({ base, top, names }: Grounds, opened?: ReadonlySet<string>): Promise<Places> {
  const found = { pointers: [] as string[], bare: [] as string[], named: [] as string[], unreadable: [] as string[] };
  const wanted = new Map([...names, ".git"].map((name) => [foldPath(name), name]));
  for (let folder = dirname(base); folder !== base && isInside(top, folder); folder = dirname(folder)) {
    for (const name of names) if (await exists(join(folder, name))) found.named.push(join(folder, name));
    if (folder === dirname(folder)) break;
  }
  let looked = 0;
  let level = [base];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > alwaysSearched && looked > mostFolders) return { ...found, isCut: true };
    const next: string[] = [];
    for (let at = 0; at < level.length; at += readAtOnce) {
      const some = level.slice(at, at + readAtOnce);
      looked += some.length;
      const listed = await Promise.all(some.map((folder) => entriesOf(folder, opened)));
      for (const [index, entries] of listed.entries()) {
        const folder = some[index] ?? base;
        if (entries === undefined) found.unreadable.push(folder);
        else if (isBare(entries)) found.bare.push(folder);
        else {
          for (const entry of entries) {
            const path = join(folder, entry.name);
            const name = wanted.get(foldPath(entry.name));
            const isObeyed = name !== undefined && (await isReadAs(path, entry.name, join(folder, name)));
            if (isObeyed) (name === ".git" ? found.pointers : found.named).push(path);
            else if (entry.isDirectory() && entry.name !== "node_modules") next.push(path);
          }
        }
      }
    }
    level = next;
  }
  return { ...found, isCut: false };
}

/** Levels below the base that have no limit. */
const alwaysSearched = 3;
const mostFolders = 100_000;
const readAtOnce = 256;

/** Undefined if the folder cannot be read. */
async function entriesOf(folder: string, opened: ReadonlySet<string> | undefined): Promise<Dirent[] | undefined> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) !== "EACCES") return [];
    if (opened === undefined || opened.has(folder)) return undefined;
    return chmod(folder, 0o700)
      .then(() => readdir(folder, { withFileTypes: true }))
      .catch(() => undefined);
  }
}

/** Whether the file system reads a spelling as the exact name: only one that ignores letter case does. */
async function isReadAs(path: string, spelling: string, exact: string): Promise<boolean> {
  if (exact.endsWith(`/${spelling}`)) return true;
  const [one, other] = await Promise.all([path, exact].map((each) => lstat(each).catch(() => undefined)));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether git recognises a folder with these entries as a repository. */
function isBare(entries: readonly Dirent[]): boolean {
  const has = (name: string, isIt: (entry: Dirent) => boolean) =>
    entries.some((entry) => entry.name === name && isIt(entry));
  const isFolder = (entry: Dirent) => entry.isDirectory() || entry.isSymbolicLink();
  return has("HEAD", (entry) => !entry.isDirectory()) && has("objects", isFolder) && has("refs", isFolder);
}
