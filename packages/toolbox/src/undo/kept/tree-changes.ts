import { join } from "node:path";
import type { Root } from "../../files/confine/root.ts";
import { seenAt } from "../../files/tree/look-at-tree.ts";
import { type Seen, type SeenTree, settling } from "../../files/tree/seen-tree.ts";
import type { FileState } from "../file-state.ts";
import type { KeptTrees } from "./kept-trees.ts";
import { isUnchanged, type TreeList } from "./tree-list.ts";

/** A path that changed between two looks. */
export interface TreeChange {
  file: string;
  before: FileState;
  after: FileState;
}

export interface TreeChanges {
  changes: readonly TreeChange[];
  /** Paths that changed, or may have, of which nothing was kept. */
  files: readonly string[];
  /** False if there may be more. */
  isComplete: boolean;
}

/**
 * What has changed since a tree was kept, sorted by path.
 *
 * @param after a look that began later
 * @param since when the tree was kept, in milliseconds
 */
export async function changesSince(
  root: Root,
  { before, after, since }: { before: TreeList; after: SeenTree; since: number },
  trees: KeptTrees,
): Promise<TreeChanges> {
  const seen = withSeenBefore(root, before, after);
  const now = await trees.states(seen);
  const wasMissing = surelyMissing(before);
  const changes: TreeChange[] = [];
  const files: string[] = [];
  for (const [file, state] of now) {
    const old = before.states.get(file);
    if (isUnchanged(old, state)) continue;
    if (old !== undefined || wasMissing(file)) changes.push({ file, before: old ?? missing, after: state });
    else if ((seen.entries.get(file)?.changed ?? 0) + settling >= since) files.push(file);
  }
  for (const [file, old] of before.states) if (!now.has(file)) changes.push({ file, before: old, after: missing });
  changes.sort((a, b) => (a.file < b.file ? -1 : 1));
  const named = [...changes.slice(mostChanges).map(({ file }) => file), ...files].sort();
  return {
    changes: changes.slice(0, mostChanges),
    files: named.slice(0, mostNamed),
    isComplete: before.isWhole && after.isWhole && named.length <= mostNamed,
  };
}

const missing: FileState = { kind: "missing" };

/** Changes of one command that can be undone, and further ones that are named. */
const mostChanges = 20_000;
const mostNamed = 500;

/**
 * A look, with what the earlier one saw and this one did not come to: the rules of git may have changed, and a path that is ignored
 * now is not gone.
 */
function withSeenBefore(root: Root, { states }: TreeList, after: SeenTree): SeenTree {
  let entries: Map<string, Seen> | undefined;
  for (const path of states.keys()) {
    if (after.entries.has(path)) continue;
    const seen = seenAt(join(root.base, path));
    if (typeof seen !== "object") continue;
    entries ??= new Map(after.entries);
    entries.set(path, seen);
  }
  return entries === undefined ? after : { ...after, entries };
}

/** Whether a path that was not seen was surely not there, and was not merely ignored or in a closed folder. */
function surelyMissing({ unseen, isWhole }: TreeList): (path: string) => boolean {
  const closed = new Set(unseen);
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (closed.has(path.slice(0, end))) return false;
    }
    return isWhole;
  };
}
