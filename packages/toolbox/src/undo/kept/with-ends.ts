import { ToolboxError } from "../../errors.ts";
import { openRoot, type Root } from "../../files/confine/root.ts";
import { lookAtTree } from "../../files/tree/look-at-tree.ts";
import type { JournalSeal } from "../journal-seal.ts";
import type { JournalLine } from "../records.ts";
import type { Contents } from "./contents.ts";
import { endedLine } from "./ended-line.ts";
import { KeptTrees, type TreeLimits } from "./kept-trees.ts";
import { readList } from "./tree-list.ts";
import { unendedCommands } from "./unended-commands.ts";

/**
 * The lines of a journal with an end for each command that has none: it still runs, or its process was killed. What differs now
 * from what was kept before it counts as changed by it.
 */
export async function withEnds(
  lines: readonly JournalLine[],
  {
    contents,
    conversation,
    seal,
    guarded,
    root: moved,
    limits,
  }: {
    contents: Contents;
    conversation: string;
    seal: JournalSeal;
    guarded: readonly string[];
    root?: string | undefined;
    limits: TreeLimits;
  },
): Promise<readonly JournalLine[]> {
  const ends: JournalLine[] = [];
  const trees = new Map<string, { root: Root; trees: KeptTrees } | undefined>();
  for (const line of unendedCommands(lines)) {
    const before = await readList(line.tree, contents);
    if (before === undefined) continue;
    const place = moved ?? line.root;
    if (!trees.has(place)) {
      const root = await opened(place, moved !== undefined, guarded);
      trees.set(place, root && { root, trees: new KeptTrees(root, { contents, conversation, seal, limits }) });
    }
    const there = trees.get(place);
    if (there === undefined) continue;
    const after = await lookAtTree(there.root);
    const { line: ended } = await endedLine(there.root, line, before, after, there.trees);
    ends.push({ ...ended, isComplete: false });
  }
  return [...lines, ...ends];
}

async function opened(place: string, isMoved: boolean, guarded: readonly string[]): Promise<Root | undefined> {
  try {
    const root = await openRoot(place, { access: "project", guarded });
    // A link that stands in the place of the folder leads to another tree.
    return isMoved || root.base === place ? root : undefined;
  } catch (error) {
    if (error instanceof ToolboxError) return undefined;
    throw error;
  }
}
