import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { isInside, type Root } from "../confine/root.ts";
import type { Reach } from "../guard/reach.ts";
import { lookAtTree } from "../tree/look-at-tree.ts";
import { readVerified } from "../tree/open-verified.ts";
import { isSettled, type Seen, type SeenTree, settling } from "../tree/seen-tree.ts";
import { surelyMissing } from "../tree/surely-missing.ts";
import { changedSettings } from "./changed-settings.ts";
import { LaterLook } from "./later-look.ts";
import { mayHoldLater } from "./later-names.ts";
import { type LinkedFile, linkedFiles } from "./linked-files.ts";
import { changedScripts } from "./package-scripts.ts";
import { isPackageManifest, runsLater } from "./run-later.ts";
import { shadowingPrograms } from "./shadowing-programs.ts";

/** Compares the files that make something run later before and after a command. */
export interface LaterWatch {
  /** Those that were created or changed in between, with what changed in them, such as `package.json: scripts test`. */
  ended(): Promise<string[]>;
}

export async function watchRunsLater(root: Root): Promise<LaterWatch> {
  const [files, programs] = [await watchFiles(root), shadowingPrograms(root)];
  return {
    async ended() {
      const isChanged = ([path, stamp]: [string, string]) => programs.get(path) !== stamp;
      const changed = [...shadowingPrograms(root)].filter(isChanged);
      const named = changed.map(([path]) => `${path}: runs in place of another program`);
      return [...(await files.ended()), ...named].sort();
    },
  };
}

async function watchFiles(root: Root): Promise<LaterWatch> {
  const before = withLinks(root, await lookAtTree(root));
  const reach = await root.guard.now();
  const held = await contentsOf(root, reach, before);
  return {
    async ended() {
      const after = withLinks(root, await lookAtTree(root));
      const [now, look] = [await contentsOf(root, reach, after), new LaterLook()];
      if (now === held && isSameTree(before, after)) return [];
      const wasMissing = surelyMissing(before.closed, before.isWhole);
      const isChanged = (path: string, old: Seen | undefined, seen: Seen) =>
        old === undefined
          ? wasMissing(path) || seen.changed + settling >= before.at
          : old.stamp !== seen.stamp || held.get(path) !== now.get(path);
      const found: string[] = [];
      let looked = 0;
      for (const [path, seen] of filesOf(after)) {
        const old = seenIn(before, path);
        if (!isChanged(path, old, seen)) continue;
        looked += 1;
        if (looked > mostChanged) break;
        const isOfGit = after.git.has(path);
        const real = resolve(root.base, path);
        if (!isOfGit && (await runsLater(root, real, look)) === undefined) continue;
        const [was, is] = [old && held.get(path), now.get(path)];
        if (was !== undefined && was === is) continue;
        const what = whatChanged(path, isOfGit, was, is);
        if (what !== undefined) found.push(what === "" ? path : `${path}: ${what}`);
      }
      return found.sort();
    },
  };
}

/** The most changed files that are compared with the settings of git. */
const mostChanged = 1000;
/** The most files that are read to compare what is in them, and their largest size. Of others, the stamp counts. */
const mostRead = 500;
const largestRead = 1024 * 1024;

/** A tree with the files that its links lead to. */
interface LinkedTree extends SeenTree {
  linked: ReadonlyMap<string, LinkedFile>;
}

function withLinks(root: Root, tree: SeenTree): LinkedTree {
  return { ...tree, linked: linkedFiles(root, tree) };
}

function* filesOf({ git, entries, ignored, linked }: LinkedTree): Generator<[path: string, seen: Seen]> {
  for (const seen of [git, entries, ignored]) {
    for (const [path, each] of seen) if (each.kind !== "folder" && !linked.has(path)) yield [path, each];
  }
  for (const [path, { seen }] of linked) yield [path, seen];
}

function seenIn({ git, entries, ignored, linked }: LinkedTree, path: string): Seen | undefined {
  return linked.get(path)?.seen ?? git.get(path) ?? entries.get(path) ?? ignored.get(path);
}

/** Undefined if nothing that matters has changed; empty if it is the content as a whole. */
function whatChanged(
  path: string,
  isOfGit: boolean,
  was: string | undefined,
  is: string | undefined,
): string | undefined {
  if (is === undefined) return "";
  if (isManifest(path)) return changedScripts(was, is);
  if (isOfGit && isSettings(path)) return changedSettings(was ?? "", is);
  return "";
}

function isManifest(path: string): boolean {
  return isPackageManifest(`/${path}`);
}

function isSettings(path: string): boolean {
  return /(?:^|\/)config(?:\.worktree)?$/.test(path);
}

/** The texts of manifests and of settings of git, and hashes of the others that may run later. What did not change is not read again. */
async function contentsOf(root: Root, reach: Reach, tree: LinkedTree): Promise<ReadonlyMap<string, string>> {
  const last = remembered.get(root);
  if (last?.isSettled && isSameTree(last.tree, tree)) return last.contents;
  const known = new Map<string, Content>();
  const names = new Map<string, boolean>();
  const contents = new Map<string, string>();
  let isAllSettled = true;
  for (const [path, seen] of filesOf(tree)) {
    const isCandidate = tree.git.has(path) || (last?.names.get(path) ?? mayHoldLater(path));
    names.set(path, isCandidate);
    if (!isCandidate || seen.kind !== "file" || seen.size > largestRead || known.size >= mostRead) continue;
    let content = last?.known.get(path);
    if (content?.stamp !== seen.stamp || !content.isSettled) {
      const text = await read(root, reach, path, seen, tree);
      content = { stamp: seen.stamp, isSettled: isSettled(seen, tree.at), text };
    }
    known.set(path, content);
    isAllSettled &&= content.isSettled;
    if (content.text !== undefined) contents.set(path, content.text);
  }
  remembered.set(root, { tree, known, names, contents, isSettled: isAllSettled });
  return contents;
}

/** A look gives the same maps as the one before if nothing has changed. */
function isSameTree(one: SeenTree, other: SeenTree): boolean {
  return one.entries === other.entries && one.ignored === other.ignored && one.git === other.git;
}

interface Content {
  stamp: string;
  isSettled: boolean;
  text: string | undefined;
}

interface Remembered {
  tree: SeenTree;
  known: ReadonlyMap<string, Content>;
  /** What `mayHoldLater` said of each path. */
  names: ReadonlyMap<string, boolean>;
  contents: ReadonlyMap<string, string>;
  isSettled: boolean;
}

const remembered = new WeakMap<Root, Remembered>();

async function read(
  root: Root,
  reach: Reach,
  path: string,
  { mode }: Seen,
  { git, linked }: LinkedTree,
): Promise<string | undefined> {
  const real = resolve(root.base, linked.get(path)?.at ?? path);
  // Settings of a linked work tree are outside of the root, where no bytes are read: their stamps count.
  if (!isInside(root.path, real)) return undefined;
  const bytes = await readVerified(root, reach, real, largestRead);
  if (bytes === undefined) return undefined;
  if (isManifest(path) || (git.has(path) && isSettings(path))) return Buffer.from(bytes).toString("utf8");
  // A hook runs as soon as it may be executed.
  const mayRun = (mode & 0o111) !== 0;
  return `${createHash("sha256").update(bytes).digest("hex")}${mayRun ? " x" : ""}`;
}
