import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isInside, type Root } from "../confine/root.ts";
import type { Seen, SeenTree } from "../tree/seen-tree.ts";
import { mayHoldLater } from "./later-names.ts";

/** A file that programs read by a path on which a link stands. */
export interface LinkedFile {
  seen: Seen;
  /** Where it stands, relative to the base. */
  at: string;
}

/**
 * The files below the base that links lead to by a path that may run later, by that path: `package.json` may be a link to a file of
 * another name, and `.husky` one to a folder.
 */
export function linkedFiles(root: Root, tree: SeenTree): ReadonlyMap<string, LinkedFile> {
  const last = remembered.get(root);
  if (last?.entries === tree.entries && last.ignored === tree.ignored) return last.linked;
  const linked = new Map<string, LinkedFile>();
  for (const [path, { kind }] of tree.entries) {
    if (kind !== "link" || !mayHoldLater(path)) continue;
    const at = targetOf(root, path);
    if (at === undefined) continue;
    const seen = tree.entries.get(at) ?? tree.ignored.get(at);
    if (seen?.kind === "file") linked.set(path, { seen, at });
    if (seen?.kind !== "folder") continue;
    for (const [below, seen] of tree.entries) {
      if (linked.size >= mostLinked) break;
      if (below.startsWith(`${at}/`) && seen.kind === "file")
        linked.set(path + below.slice(at.length), { seen, at: below });
    }
  }
  const { entries, ignored } = tree;
  remembered.set(root, { entries, ignored, linked });
  return linked;
}

/** The links of a tree lead to the same places as long as nothing in it changes. */
const remembered = new WeakMap<
  Root,
  Pick<SeenTree, "entries" | "ignored"> & { linked: ReadonlyMap<string, LinkedFile> }
>();

/** Through links to folders, which may lead to large ones. */
const mostLinked = 5000;

/** Undefined if the link leads nowhere, or outside of the base. */
function targetOf({ base }: Root, path: string): string | undefined {
  try {
    const real = realpathSync(join(base, path));
    return real !== base && isInside(base, real) ? relative(base, real) : undefined;
  } catch {
    return undefined;
  }
}
