import type { ForkNode } from "@cogency/agent/history";
import type { Store } from "@cogency/storage";
import { oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { shownPrompt } from "../../work/commands/typed-part.ts";
import { isPrompt } from "../conversation/past.ts";
import type { SlashCommand } from "./slash-command.ts";
import { unfold } from "./unfold-conversation.ts";

/**
 * `/tree`: the conversations that were forked from one another, and the points of each: to go on with one, or from a point of it, to
 * restore files, to name a point, and to take a summary back.
 */
export const treeCommand: SlashCommand = {
  name: "tree",
  help: "the forks of the conversation and their points: go there, restore files, name a point, undo a compaction",
  async run(conversation) {
    const { session, view } = conversation;
    const { forksOf } = await import("../../work/points/conversation-tree.ts");
    const store = await session.store();
    const tree = await forksOf(store, session.conversation);
    if (tree.forks.length === 0 && tree.conversation === session.conversation)
      return unfold(session.conversation, conversation);
    const branches = branchesOf(tree, "", "");
    const rows = await Promise.all(branches.map((branch) => rowOf(branch, session.conversation, store)));
    const at = branches.findIndex(({ node }) => node.conversation === session.conversation);
    const chosen = await view.choose({ title: "Which conversation?", rows, at: Math.max(0, at) });
    const node = chosen === undefined ? undefined : branches[chosen]?.node;
    if (node === undefined) return view.remark("You stay in this one.");
    if (node.summary === undefined) return view.remark("That one was deleted.", "warning");
    await unfold(node.conversation, conversation);
  },
};

interface Branch {
  readonly node: ForkNode;
  /** What stands before its name: lines from what it was forked from. */
  readonly lead: string;
}

function branchesOf(node: ForkNode, lead: string, below: string): Branch[] {
  const { forks } = node;
  return [
    { node, lead },
    ...forks.flatMap((fork, index) => {
      const isLast = index === forks.length - 1;
      return branchesOf(fork, `${below}${isLast ? "└ " : "├ "}`, `${below}${isLast ? "  " : "│ "}`);
    }),
  ];
}

async function rowOf({ node, lead }: Branch, current: string, store: Store): Promise<string> {
  const { summary, conversation } = node;
  if (summary === undefined) return `${lead}${oneLine(conversation, 40)}, deleted`;
  const mark = conversation === current ? "this one: " : "";
  return `${lead}${mark}${await nameOf(node, store)} · ${when(summary.updatedAt)}`;
}

/** A fork is named after what was said first in it: its title is most often that of what it was forked from. */
async function nameOf({ conversation, summary, forkedAt }: ForkNode, store: Store): Promise<string> {
  const title = oneLine(summary?.title ?? "", 60);
  if (forkedAt === undefined) return title || oneLine(conversation, 40);
  const said = await store.load({ conversation }, { types: ["user"] });
  const first = said.find((event) => isPrompt(event) && event.timestamp >= forkedAt);
  if (first?.type === "user") return oneLine(shownPrompt(first.content), 60);
  return title === "" ? "(nothing was said yet)" : `${title} (nothing more was said yet)`;
}
