import { existsSync } from "node:fs";
import { type ForkNode, forkTree } from "@cogency/agent/history";
import { type Point, pointsOf } from "@cogency/protocol/host";
import type { Store } from "@cogency/storage";
import type { UndoEntry } from "@cogency/toolbox/undo";
import { listedConversations } from "../../place/store/conversation-pages.ts";
import { undoFolder } from "../../place/store/undo-folder.ts";
import { logOutline } from "./log-outline.ts";
import { type TreeTurn, treeTurns } from "./tree-turns.ts";

/** A conversation with its turns, and those that were forked from it. */
export interface TreeNode {
  readonly conversation: string;
  /** Empty for one that was deleted. */
  readonly title: string;
  /** Unix time in seconds; absent for one that was deleted. */
  readonly updatedAt?: number;
  /** When it was forked, in Unix seconds; absent for one that is no fork. */
  readonly forkedAt?: number;
  /** With how many events of the one above it began. */
  readonly at?: number;
  /** How many of its turns it has from the one above. */
  readonly inherited: number;
  readonly turns: readonly TreeTurn[];
  readonly points: readonly Point[];
  readonly forks: readonly TreeNode[];
}

/** The latest conversations that are looked at. */
const mostListed = 1000;

/** The conversations that come, by any number of forks, from the same one as this one, without their turns. */
export async function forksOf(store: Store, conversation: string): Promise<ForkNode> {
  return forkTree(store, { conversation }, await listedConversations(store, { limit: mostListed }));
}

/**
 * The tree of forks with all turns.
 *
 * @param place where the store is
 */
export async function conversationTree(store: Store, conversation: string, place: string): Promise<TreeNode> {
  return withTurns(await forksOf(store, conversation), store, place);
}

/** What is kept of the changes that a conversation made to files; nothing where nothing is kept. */
export async function keptChanges(conversation: string, place: string): Promise<UndoEntry[]> {
  const folder = undoFolder(place);
  if (folder === undefined || !existsSync(folder)) return [];
  const { undoOf } = await import("../undo/app-undo.ts");
  return undoOf(place).entries({ conversation });
}

async function withTurns({ forks, ...node }: ForkNode, store: Store, place: string): Promise<TreeNode> {
  const { conversation, summary, forkedAt, at } = node;
  const log = summary === undefined ? [] : await logOutline(store, conversation);
  const turns = treeTurns(log, log.length === 0 ? [] : await keptChanges(conversation, place));
  const below: TreeNode[] = [];
  for (const fork of forks) below.push(await withTurns(fork, store, place));
  return {
    conversation,
    title: summary?.title ?? "",
    ...(summary && { updatedAt: summary.updatedAt }),
    ...(forkedAt !== undefined && { forkedAt }),
    ...(at !== undefined && { at }),
    inherited: inheritedOf(turns, forkedAt),
    turns,
    points: pointsOf(log),
    forks: below,
  };
}

/** Events that were copied keep their times. */
function inheritedOf(turns: readonly TreeTurn[], forkedAt: number | undefined): number {
  return forkedAt === undefined ? 0 : turns.filter(({ time }) => time < forkedAt).length;
}
