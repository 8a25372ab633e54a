import { put, putLine } from "../base/terminal/output.ts";
import { conversationOf } from "../place/store/find-conversation.ts";
import { readHistory } from "../place/store/with-history.ts";
import { conversationTree } from "../work/points/conversation-tree.ts";
import { treeLines } from "../work/points/tree-lines.ts";

export interface TreeCommandOptions {
  store: string;
  json?: true;
}

/**
 * `cogency tree`: prints the forks of a conversation with their turns and named points.
 *
 * @throws UsageError for an unknown conversation, and without one in a folder that has none
 */
export async function treeCommand(
  wanted: string | undefined,
  { store: place, json }: TreeCommandOptions,
): Promise<void> {
  await readHistory({ store: place }, async (store) => {
    const conversation = await conversationOf(wanted, store, place, "tree");
    const tree = await conversationTree(store, conversation, place);
    if (json) await putLine(tree);
    else await put(`${treeLines(tree, conversation).join("\n")}\n`);
  });
}
