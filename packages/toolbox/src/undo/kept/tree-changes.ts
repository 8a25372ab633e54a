import { constants } from "node:fs";
import { dirname, join } from "node:path";
import type { Root } from "../../files/confine/root.ts";
import { seenAt } from "../../files/tree/look-at-tree.ts";
import { useVerified } from "../../files/tree/open-verified.ts";
import { type Seen, type SeenTree, settling } from "../../files/tree/seen-tree.ts";
import { surelyMissing } from "../../files/tree/surely-missing.ts";
import type { FileState } from "../file-state.ts";
import type { KeptTrees } from "./kept-trees.ts";
import { isUnchanged, type TreeList, type TreeStates } from "./tree-list.ts";

/** A path that changed between two looks. */
interface TreeChange {
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
  /** What stands at each path now. */
  now: TreeStates;
}

/** Adds the paths that differ from a tree to those that did so before. */
export function noteDiffering({ states }: TreeList, now: TreeStates, noted: Set<string>): void {
  for (const [path, state] of now) if (!isUnchanged(states.get(path), state)) noted.add(path);
  for (const path of states.keys()) if (!now.has(path)) noted.add(path);
}

/**
 * What has changed since a tree was kept, sorted by path.
 *
 * @param after a look that began later
 * @param between paths that differed in a look in between; they count as changed though they may be as before
 * @param since when the tree was kept, in milliseconds
 */
export async function changesSince(
  root: Root,
  { before, after, since, between }: { before: TreeList; after: SeenTree; since: number; between: ReadonlySet<string> },
  trees: KeptTrees,
): Promise<TreeChanges> {
  const isWhole = before.isWhole && after.isWhole;
  const direct = await trees.states(after);
  if (direct === before.states && between.size === 0)
    return { changes: [], files: [], isComplete: isWhole, now: direct };
  const seen = withSeenBefore(root, before, after);
  const now = seen === after ? direct : await trees.states(seen);
  const wasMissing = surelyMissing(before.unseen, before.isWhole);
  const changes: TreeChange[] = [];
  const files: string[] = [];
  for (const [file, state] of now) {
    const old = before.states.get(file);
    if (isUnchanged(old, state) && !between.has(file)) continue;
    if (old !== undefined || wasMissing(file)) changes.push({ file, before: old ?? missing, after: state });
    else if ((seen.entries.get(file)?.changed ?? 0) + settling >= since) files.push(file);
  }
  for (const [file, old] of before.states) if (!now.has(file)) changes.push({ file, before: old, after: missing });
  for (const file of between) {
    if (!now.has(file) && !before.states.has(file) && wasMissing(file)) {
      changes.push({ file, before: missing, after: missing });
    }
  }
  changes.sort((a, b) => (a.file < b.file ? -1 : 1));
  const named = [...changes.slice(mostChanges).map(({ file }) => file), ...files].sort();
  return {
    changes: changes.slice(0, mostChanges),
    files: named.slice(0, mostNamed),
    now,
    isComplete: isWhole && named.length <= mostNamed,
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
    const real = join(root.base, path);
    // A link above it would lead elsewhere.
    const seen = useVerified(root, dirname(real), constants.O_DIRECTORY, () => seenAt(real));
    if (typeof seen !== "object") continue;
    entries ??= new Map(after.entries);
    entries.set(path, seen);
  }
  return entries === undefined ? after : { ...after, entries };
}
