import { join } from "node:path";
import { withFolder } from "../confine/confined-folder.ts";
import type { Root } from "../confine/root.ts";
import { unlessRefused } from "../confine/unless-refused.ts";
import { compileGlob } from "../glob.ts";
import { type IgnoreRules, rulesAbove } from "./ignore-rules.ts";
import { isLeftOut, leftOutNote } from "./left-out.ts";
import { noteOf } from "./note.ts";
import { isEntered } from "./walk-files.ts";

/** The entries of a folder, and how many were left out. */
export interface Tree {
  /** Paths relative to the folder, sorted; those of folders end in `/`. */
  entries: string[];
  /** How many entries were left out for lack of room; absent when none. */
  truncated?: number;
  /** The folders of which entries were left out, with their numbers; at most 20, those with the most first. */
  leftOut?: Record<string, number>;
  /** How many folders within the depth were not looked into for lack of room or permission; absent when none. */
  unopened?: number;
  /** What was left out because it holds no source, and which rules of git were passed over; absent when nothing. */
  note?: string;
}

export interface TreeOptions {
  /** How many levels are shown. */
  depth: number;
  /** A glob for the entries that are shown; folders are looked into whether or not they match. */
  pattern?: string | undefined;
  /** Told the real path of each folder of which entries are shown. */
  shows?: (folder: string) => void;
  signal: AbortSignal;
}

/**
 * The tree below a folder, level by level. Where a level does not fit into the 500 entries, its folders get equal
 * shares of the room, so that one huge folder does not hide the others; deeper levels are then left out.
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
      if (share > 0) options.shows?.(real);
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

/** A folder that is to be looked into; `path` is relative to where the tree begins and ends in `/`. */
interface Branch {
  real: string;
  path: string;
  rules: IgnoreRules | undefined;
}

interface LevelFolder {
  real: string;
  path: string;
  /** The entries that are wanted. */
  entries: string[];
  /** The folders in it to look into next. */
  branches: Branch[];
}

/** Looks into the folders of a level, those aside that cannot be opened. */
async function openLevel(
  root: Root,
  level: readonly Branch[],
  depth: number,
  { depth: mostDepth, pattern, signal }: TreeOptions,
  hidden: Map<string, number>,
): Promise<LevelFolder[]> {
  const isWanted = pattern === undefined ? () => true : compileGlob(pattern);
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
    // What was asked for by name must be there; what is only met may be closed, or gone meanwhile.
    const folder = depth === 1 ? await looking : await unlessRefused(looking);
    if (folder !== undefined) folders.push(folder);
  }
  return folders;
}

/** Gives each its count as far as the room goes, and else an equal share; what one does not need goes to the others. */
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
