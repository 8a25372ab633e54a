import type { LogEvent } from "@cogency/protocol";
import type { ConversationSummary, Store } from "@cogency/storage";
import { listedConversations } from "./conversation-pages.ts";

/** A conversation and those that were forked from it, the oldest first. */
export interface ForkNode {
  readonly conversation: string;
  /** Undefined for one that was deleted. */
  readonly summary: ConversationSummary | undefined;
  /** When it was forked, in Unix seconds; undefined for one that is no fork. */
  readonly forkedAt: number | undefined;
  readonly forks: readonly ForkNode[];
}

/** The latest conversations that are looked at. */
const mostRead = 1000;
/** Logs that are read at once. */
const together = 20;

/**
 * All conversations that come, by any number of forks, from the same one as this one. What a fork says of where it is from is read as it
 * is, and leads to a tree whatever a log from elsewhere says.
 */
export async function forkTree(store: Store, conversation: string): Promise<ForkNode> {
  const summaries = new Map(
    (await listedConversations(store, { limit: mostRead })).map((summary) => [summary.conversation, summary]),
  );
  const links = await linksOf([...new Set([...summaries.keys(), conversation])], store);
  const forks = Map.groupBy(links, ([, { from }]) => from);
  const node = (name: string, above: ReadonlySet<string>): ForkNode => {
    const seen = new Set([...above, name]);
    const own = (forks.get(name) ?? []).filter(([fork]) => !seen.has(fork));
    return {
      conversation: name,
      summary: summaries.get(name),
      forkedAt: links.get(name)?.time,
      forks: own.toSorted(([, one], [, other]) => one.time - other.time).map(([fork]) => node(fork, seen)),
    };
  };
  return node(rootOf(conversation, links), new Set());
}

interface Link {
  readonly from: string;
  readonly time: number;
}

function rootOf(conversation: string, links: ReadonlyMap<string, Link>): string {
  const seen = new Set([conversation]);
  let root = conversation;
  for (let from = links.get(root)?.from; from !== undefined && !seen.has(from); from = links.get(root)?.from) {
    seen.add(from);
    root = from;
  }
  return root;
}

async function linksOf(conversations: readonly string[], store: Store): Promise<Map<string, Link>> {
  const links = new Map<string, Link>();
  for (let at = 0; at < conversations.length; at += together) {
    const some = conversations.slice(at, at + together);
    // The record is the first one, or follows the one that says who began the log.
    const heads = await Promise.all(some.map((conversation) => store.load({ conversation }, { limit: 2 })));
    for (const [index, head] of heads.entries()) {
      const link = head.map(linkIn).find((found) => found !== undefined);
      if (link) links.set(some[index] as string, link);
    }
  }
  return links;
}

/** A log from elsewhere may hold anything. */
function linkIn(event: LogEvent): Link | undefined {
  if (event.type !== "record" || event.kind !== "fork") return undefined;
  const { from } = (event.data ?? {}) as { from?: unknown };
  return typeof from === "string" ? { from, time: event.timestamp } : undefined;
}
