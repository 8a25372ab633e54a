import type { BigIntStats } from "node:fs";
import { lstat, readdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolboxError } from "../../errors.ts";
import { isInside } from "./is-inside.ts";

/** The part of a file's stats that identifies it whatever its name. */
export type Identity = Pick<BigIntStats, "dev" | "ino" | "birthtimeNs" | "nlink" | "isFile">;

interface Guarded {
  /** Folded paths. They and everything below them are guarded. */
  names: ReadonlySet<string>;
  /** Birth times by identity. */
  identities: ReadonlyMap<string, bigint>;
  /** The guarded folders that exist. */
  folders: readonly string[];
  /** Whether a guarded file may have another name: a hard link, or a name that it was moved to. */
  hasOtherNames: boolean;
}

/** The files that no tool may reach, as of the start of one call. */
export class Reach {
  readonly #guarded: Guarded;
  readonly #isProcessFiles = new Map<bigint, Promise<boolean>>();
  #below: Promise<ReadonlySet<string> | undefined> | undefined;

  constructor(guarded: Guarded = { names: new Set(), identities: new Map(), folders: [], hasOtherNames: false }) {
    this.#guarded = guarded;
  }

  /** Whether a real path is guarded by its name, whether it exists or not. */
  hides(real: string): boolean {
    if (this.#guarded.names.size === 0) return false;
    let path = foldPath(real);
    while (!this.#guarded.names.has(path)) {
      const above = dirname(path);
      if (above === path) return false;
      path = above;
    }
    return true;
  }

  /** Whether anything in a folder may be guarded by its name. */
  hidesBelow(real: string): boolean {
    const top = foldPath(real);
    return [...this.#guarded.names].some((name) => isInside(top, name));
  }

  /**
   * Refuses a file that is guarded by its name or identity, and files that show running processes.
   *
   * @param at a path that leads to it now
   * @throws ToolboxError `out_of_reach`, `permission_denied`
   */
  async check(real: string, stats: Identity, at: string, shown: string): Promise<void> {
    if (this.hides(real) || (await this.#isSame(stats))) throw outOfReach(shown);
    const isShowing = isProcessFolder(real) || (!isInside("/proc", real) && (await this.#isProcFile(stats.dev, at)));
    if (isShowing) {
      const problem = "belongs to a running process, whose environment and memory no tool shows";
      throw new ToolboxError("permission_denied", shown, `"${shown}" ${problem}.`);
    }
  }

  /** @throws ToolboxError `out_of_reach` for a path that is guarded by its name */
  checkName(real: string, shown: string): void {
    if (this.hides(real)) throw outOfReach(shown);
  }

  /** The entries of a folder without those that are guarded. */
  async visible<Entry extends { name: string }>(entries: Entry[], real: string, at: string): Promise<Entry[]> {
    if (this.#guarded.names.size === 0) return entries;
    const named = entries.filter(({ name }) => !this.hides(join(real, name)));
    if (!this.#guarded.hasOtherNames) return named;
    const seen: Entry[] = [];
    for (const entry of named) {
      const stats = await lstat(join(at, entry.name), { bigint: true }).catch(() => undefined);
      if (stats === undefined || !(await this.#isSame(stats))) seen.push(entry);
    }
    return seen;
  }

  async #isSame(stats: Identity): Promise<boolean> {
    const { identities, folders } = this.#guarded;
    if (identities.get(identityOf(stats)) === stats.birthtimeNs) return true;
    if (folders.length === 0 || !stats.isFile() || stats.nlink < 2n) return false;
    this.#below ??= filesBelow(folders);
    const below = await this.#below;
    return below === undefined || below.has(identityOf(stats));
  }

  /** Checks the type of the file system, because /proc can be mounted at any path. */
  #isProcFile(device: bigint, at: string): Promise<boolean> {
    if (process.platform !== "linux") return notProcessFile;
    const known = this.#isProcessFiles.get(device);
    if (known !== undefined) return known;
    const asked = statfs(at).then(
      ({ type }) => type === procFileSystem,
      () => false,
    );
    this.#isProcessFiles.set(device, asked);
    return asked;
  }
}

const notProcessFile = Promise.resolve(false);
const procFileSystem = 0x9fa0;

export function identityOf({ dev, ino }: Pick<Identity, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/** Folds a path, so that spellings that some file system treats as equal become one. */
export function foldPath(path: string): string {
  return path.replace(ignoredByHfs, "").normalize("NFC").toUpperCase().toLowerCase();
}

/** Characters that HFS+ ignores in names: `.g\u200cit` means `.git` there. */
export const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The identities of all files below some folders; undefined if there are too many. */
async function filesBelow(folders: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>();
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      const stats = entry.isFile() ? await lstat(path, { bigint: true }).catch(() => undefined) : undefined;
      if (stats !== undefined) found.add(identityOf(stats));
      if (found.size + open.length > mostGuardedFiles) return undefined;
    }
  }
  return found;
}

const mostGuardedFiles = 20_000;

function outOfReach(shown: string): ToolboxError {
  const problem = "belongs to the program that runs these tools, such as its store, its settings or its keys";
  const message = `"${shown}" is out of reach: it ${problem}. No tool reads or changes it.`;
  return new ToolboxError("out_of_reach", shown, message);
}

/** Linux shows the environment and the memory of processes, keys included, as files. No access makes these readable. */
function isProcessFolder(real: string): boolean {
  return processFolder.test(real);
}

const processFolder = /^\/proc\/(?:\d+|self|thread-self|kcore)(?:\/|$)/;
