import { join } from "node:path";
import { withFolder } from "../confine/confined-folder.ts";
import type { Root } from "../confine/root.ts";
import { unlessRefused } from "../confine/unless-refused.ts";
import { compilePattern } from "../glob.ts";
import { type IgnoreRules, rulesAbove } from "./ignore-rules.ts";
import { isLeftOut, leftOutNote } from "./left-out.ts";
import { noteOf } from "./skipped.ts";
import { isEntered } from "./walk-files.ts";

/** The entries of a folder and the number of those left out. */
export interface Tree {
  /** Paths relative to the folder, sorted; those of folders end in `/`. */
  entries: string[];
  /** The number of entries left out for lack of room; absent if none. */
  truncated?: number;
  /** The number of left-out entries by folder; at most 20 folders, those with the most entries first. */
  leftOut?: Record<string, number>;
  /** The number of folders within the depth that were not opened, for lack of room or permission; absent if none. */
  unopened?: number;
  /** Names entries left out because they hold no source, and rules of git that were not applied; absent if there are none. */
  note?: string;
}

export interface TreeOptions {
  /** The number of levels to show. */
  depth: number;
  /** A glob for the entries to show. Folders are opened whether they match or not. */
  pattern?: string | undefined;
  /** Called with the real path of each folder whose entries are shown. */
  onFolder?: (folder: string) => void;
  signal: AbortSignal;
}

/**
 * Lists the tree below a folder, level by level. If a level does not fit into the 500 entries, its folders get equal shares, so
 * that one huge folder does not hide the others, and deeper levels are left out.
 */
export async function listTree(root: Root, real: string, options: TreeOptions): Promise<Tree> {
  const shown: string[] = [];
  const leftOut: [folder: string, count: number][] = [];
  let unopened = 0;
  let opened = 0;
  const rules = options.depth > 1 ? await rulesAbove(root, real) : undefined;
  const hidden = new Map<string, number>();
  let level: Branch[] = [{ real, path: "", rules }];
  for (let depth = 1; level.length > 0; depth += 1) {
    const room = shown.length < mostEntries ? mostFolders - opened : 0;
    const folders = await openLevel(root, level.slice(0, room), depth, options, hidden);
    opened += folders.length;
    unopened += level.length - folders.length;
    const counts = folders.map(({ entries }) => entries.length);
    const shares = equalShares(counts, mostEntries - shown.length);
    for (const [index, { real, path, entries }] of folders.entries()) {
      const share = shares[index] ?? 0;
      if (share > 0) options.onFolder?.(real);
      shown.push(...entries.slice(0, share));
      if (entries.length > share) leftOut.push([path === "" ? "." : path, entries.length - share]);
    }
    level = folders.flatMap(({ branches }) => branches);
  }
  const note = noteOf([leftOutNote(hidden), ...(rules?.problems ?? [])]);
  return {
    entries: shown.sort((a, b) => (a < b ? -1 : 1)),
    ...(leftOut.length > 0 && { truncated: leftOut.reduce((sum, [, count]) => sum + count, 0) }),
    ...(leftOut.length > 0 && options.depth > 1 && { leftOut: Object.fromEntries(most(leftOut)) }),
    ...(unopened > 0 && { unopened }),
    ...(note !== undefined && { note }),
  };
}

const mostEntries = 500;
const mostFolders = 5000;
const mostLeftOut = 20;

/** A folder to open; `path` is relative to the top of the tree and ends in `/`. */
interface Branch {
  real: string;
  path: string;
  rules: IgnoreRules | undefined;
}

interface LevelFolder {
  real: string;
  path: string;
  /** The entries to show. */
  entries: string[];
  /** The folders in it to open next. */
  branches: Branch[];
}

/** Opens the folders of a level, except those that cannot be opened. */
async function openLevel(
  root: Root,
  level: readonly Branch[],
  depth: number,
  { depth: mostDepth, pattern, signal }: TreeOptions,
  hidden: Map<string, number>,
): Promise<LevelFolder[]> {
  const isWanted = pattern === undefined ? () => true : compilePattern(pattern);
  const folders: LevelFolder[] = [];
  for (const { real, path, rules } of level) {
    signal.throwIfAborted();
    const looking = withFolder(root, real, async (folder): Promise<LevelFolder> => {
      const all = await folder.entries();
      const found = all.filter((entry) => !isLeftOut(entry));
      for (const { name } of all.filter(isLeftOut)) hidden.set(name, (hidden.get(name) ?? 0) + 1);
      const inner = await rules?.enter(folder, all);
      const wanted = found.filter(({ name }) => isWanted(path + name));
      const branches = depth === mostDepth ? [] : found.filter((entry) => isEntered(folder, entry, inner));
      return {
        real,
        path,
        entries: wanted.map((entry) => path + entry.name + (entry.isDirectory() ? "/" : "")),
        branches: branches.map(({ name }) => ({ real: join(real, name), path: `${path}${name}/`, rules: inner })),
      };
    });
    // The folder that the call names must exist. A folder below it may be closed, or gone meanwhile.
    const folder = depth === 1 ? await looking : await unlessRefused(looking);
    if (folder !== undefined) folders.push(folder);
  }
  return folders;
}

/** Splits `room` into equal shares. The part of a share that one does not need goes to the others. */
function equalShares(counts: readonly number[], room: number): number[] {
  const shares = counts.map(() => 0);
  let left = room;
  const rising = counts.map((count, index) => ({ count, index })).sort((a, b) => a.count - b.count);
  for (const [position, { count, index }] of rising.entries()) {
    const share = Math.min(count, Math.ceil(left / (rising.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function most(leftOut: readonly [folder: string, count: number][]): [folder: string, count: number][] {
  return leftOut.toSorted((a, b) => b[1] - a[1]).slice(0, mostLeftOut);
}
