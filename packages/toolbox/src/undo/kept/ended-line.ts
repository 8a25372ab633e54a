import type { Root } from "../../files/confine/root.ts";
import type { SeenTree } from "../../files/tree/seen-tree.ts";
import type { CommandLine, EndedLine } from "../records.ts";
import type { KeptTrees } from "./kept-trees.ts";
import { changesSince } from "./tree-changes.ts";
import type { TreeList } from "./tree-list.ts";

/** What a command has changed since its tree was kept. */
export async function endedLine(
  root: Root,
  { id, time }: CommandLine,
  before: TreeList,
  after: SeenTree,
  trees: KeptTrees,
): Promise<EndedLine> {
  const { changes, files, isComplete } = await changesSince(root, { before, after, since: time * 1000 }, trees);
  const ignored = after.closed.slice(0, mostIgnored);
  return {
    kind: "ended",
    command: id,
    files: [...files],
    changes: changes.flatMap(({ file, before, after }) =>
      before.kind === "other" || after.kind === "other" ? [] : [{ file, before, after }],
    ),
    ...(ignored.length > 0 && { ignored }),
    isComplete,
  };
}

const mostIgnored = 20;
