import type { Root } from "../../files/confine/root.ts";
import type { SeenTree } from "../../files/tree/seen-tree.ts";
import type { CommandLine, EndedLine } from "../records.ts";
import type { KeptTrees } from "./kept-trees.ts";
import { changesSince } from "./tree-changes.ts";
import type { TreeList, TreeStates } from "./tree-list.ts";

/** What a command has changed since its tree was kept, and what stands at each path now. */
export async function endedLine(
  root: Root,
  { id, time }: CommandLine,
  before: TreeList,
  after: SeenTree,
  trees: KeptTrees,
  between: ReadonlySet<string> = new Set(),
): Promise<{ line: EndedLine; now: TreeStates }> {
  const looks = { before, after, since: time * 1000, between };
  const { changes, files, isComplete, now } = await changesSince(root, looks, trees);
  const ignored = [...new Set([...after.closed, ...before.unseen])].slice(0, mostIgnored);
  const line: EndedLine = {
    kind: "ended",
    command: id,
    files: [...files],
    changes: changes.flatMap(({ file, before, after }) =>
      before.kind === "other" || after.kind === "other" ? [] : [{ file, before, after }],
    ),
    ...(ignored.length > 0 && { ignored }),
    isComplete,
  };
  return { line, now };
}

const mostIgnored = 20;
