import type { LogEvent } from "@cogency/protocol";
import type { ConversationSummary, Key, Store } from "@cogency/storage";

/** A conversation and those that were forked from it, the oldest first. */
export interface ForkNode {
  readonly conversation: string;
  /** Undefined for one that was deleted, or that nobody listed. */
  readonly summary: ConversationSummary | undefined;
  /** When it was forked, in Unix seconds; undefined for one that is no fork. */
  readonly forkedAt: number | undefined;
  /** With how many events of the one above it began; undefined for one that is no fork. */
  readonly at: number | undefined;
  readonly forks: readonly ForkNode[];
}

/** Logs that are read at once. */
const together = 20;

/**
 * Returns all conversations that come, by any number of forks, from the same one as this one. What a fork says of where it is from is
 * read as it is, and leads to a tree whatever a log from elsewhere says.
 *
 * @param summaries the conversations of the same user that are looked at; the beginning of each log is read, once for each `store`
 * @throws StoreError
 */
export async function forkTree(
  store: Pick<Store, "load">,
  { conversation, user }: Key,
  summaries: readonly ConversationSummary[],
): Promise<ForkNode> {
  const listed = new Map(summaries.map((summary) => [summary.conversation, summary]));
  const links = await linksOf([...new Set([...listed.keys(), conversation])], { user, listed, store });
  const forks = Map.groupBy(links, ([, { from }]) => from);
  const seen = new Set<string>();
  const node = (name: string): ForkNode => {
    seen.add(name);
    const own = (forks.get(name) ?? []).filter(([fork]) => !seen.has(fork));
    const { time, at } = links.get(name) ?? {};
    const below = own.toSorted(([, one], [, other]) => one.time - other.time).map(([fork]) => node(fork));
    return { conversation: name, summary: listed.get(name), forkedAt: time, at, forks: below };
  };
  return node(rootOf(conversation, links));
}

interface Link {
  readonly from: string;
  readonly at: number | undefined;
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

interface Looked {
  readonly user: string | undefined;
  readonly listed: ReadonlyMap<string, ConversationSummary>;
  readonly store: Pick<Store, "load">;
}

async function linksOf(conversations: readonly string[], looked: Looked): Promise<Map<string, Link>> {
  const links = new Map<string, Link>();
  for (let begin = 0; begin < conversations.length; begin += together) {
    const some = conversations.slice(begin, begin + together);
    const found = await Promise.all(some.map((conversation) => linkOf(conversation, looked)));
    for (const [index, link] of found.entries()) if (link) links.set(some[index] as string, link);
  }
  return links;
}

/** Where one was forked from. The beginning of a log does not change, so that of a conversation that is listed is read once. */
async function linkOf(conversation: string, { user, listed, store }: Looked): Promise<Link | undefined> {
  const { createdAt } = listed.get(conversation) ?? {};
  const known = knownIn(store);
  const name = JSON.stringify([user, conversation]);
  const before = known.get(name);
  // Another conversation may have got the name of a deleted one.
  if (before && before.createdAt === createdAt) return before.link;
  // The record is the first one, or follows the one that says who began the log.
  const head = await store.load({ conversation, user }, { limit: 2 });
  const link = head.map(linkIn).find((found) => found !== undefined);
  if (known.size >= mostKnown) known.clear();
  if (createdAt !== undefined && head.length === 2) known.set(name, { createdAt, link });
  return link;
}

interface Known {
  readonly createdAt: number;
  readonly link: Link | undefined;
}

function knownIn(store: object): Map<string, Known> {
  const known = knownOf.get(store) ?? new Map<string, Known>();
  knownOf.set(store, known);
  return known;
}

const knownOf = new WeakMap<object, Map<string, Known>>();
const mostKnown = 20_000;

/** A log from elsewhere may hold anything. */
function linkIn(event: LogEvent): Link | undefined {
  if (event.type !== "record" || event.kind !== "fork") return undefined;
  const { from, at } = ((event as { data?: unknown }).data ?? {}) as { from?: unknown; at?: unknown };
  if (typeof from !== "string") return undefined;
  const isCount = typeof at === "number" && Number.isInteger(at) && at >= 0;
  return { from, at: isCount ? at : undefined, time: event.timestamp };
}
