import { ClientError } from "../client-error.ts";
import type { ConversationEntry, Conversations, ConversationsSnapshot } from "../conversations.ts";
import { Followers } from "../followers.ts";
import type { Requests } from "../http/requests.ts";
import { Connection } from "../stream/connection.ts";
import type { ServerEvent } from "../stream/event-parser.ts";

/** What the server sends: the newest ones at first, then what has changed. */
type News =
  | { readonly conversations: readonly ConversationEntry[] }
  | { readonly changed: readonly ConversationEntry[]; readonly removed: readonly string[] };

export class LiveConversations implements Conversations {
  readonly #requests: Requests;
  readonly #followers = new Followers(
    () => this.#connection.open(),
    () => this.#connection.close(),
  );
  readonly #connection: Connection;
  #snapshot: ConversationsSnapshot = { conversations: [], status: "loading", hasMore: false, connection: "connecting" };

  constructor(requests: Requests) {
    this.#requests = requests;
    this.#connection = new Connection({
      requests,
      path: "/changes",
      after: () => 0,
      onOpen: () => {},
      onEvents: (events) => this.#read(events),
      onDeleted: () => {},
      onState: (connection, problem) => {
        const { error, ...rest } = this.#snapshot;
        if (connection === rest.connection && problem === error) return;
        this.#set({ ...rest, connection, ...(problem && { error: problem }) });
      },
    });
  }

  get snapshot(): ConversationsSnapshot {
    return this.#snapshot;
  }

  subscribe(listener: () => void): () => void {
    return this.#followers.add(listener);
  }

  async more(): Promise<void> {
    const last = this.#snapshot.conversations.at(-1);
    const before = last ? `&before=${encodeURIComponent(last.conversation)}` : "";
    const page = (await this.#requests.json(`/conversations?limit=${pageSize}${before}`)) as ConversationEntry[];
    this.#merge(page, new Set(), page.length === pageSize);
  }

  reconnect(): void {
    this.#connection.restart();
  }

  #read(events: readonly ServerEvent[]): void {
    for (const { event, data } of events) if (event === "message") this.#take(newsIn(data));
  }

  #take(news: News): void {
    if (!("conversations" in news)) {
      this.#merge(news.changed, new Set(news.removed), this.#snapshot.hasMore);
      return;
    }
    const { conversations } = news;
    const oldest = conversations.at(-1)?.updatedAt ?? 0;
    const isWhole = conversations.length < newest;
    // Of those that were in the list, the server has told: what is missing was deleted.
    const gone = this.#snapshot.conversations.filter(({ updatedAt }) => isWhole || updatedAt >= oldest);
    this.#merge(conversations, new Set(gone.map(({ conversation }) => conversation)), !isWhole);
  }

  #merge(changed: readonly ConversationEntry[], removed: ReadonlySet<string>, hasMore: boolean): void {
    const known = new Map(this.#snapshot.conversations.map((entry) => [entry.conversation, entry]));
    const all = new Map([...known].filter(([conversation]) => !removed.has(conversation)));
    for (const entry of changed) {
      const before = known.get(entry.conversation);
      all.set(entry.conversation, before && isSame(before, entry) ? before : entry);
    }
    const conversations = [...all.values()].sort((one, other) => other.updatedAt - one.updatedAt);
    this.#set({ ...this.#snapshot, conversations, status: "ready", hasMore });
  }

  #set(snapshot: ConversationsSnapshot): void {
    this.#snapshot = snapshot;
    this.#followers.tell();
  }
}

/** @throws ClientError */
function newsIn(data: string): News {
  try {
    const news = JSON.parse(data) as Partial<Record<"conversations" | "changed" | "removed", unknown>>;
    if (Array.isArray(news.conversations) || (Array.isArray(news.changed) && Array.isArray(news.removed)))
      return news as News;
  } catch {
    // As below.
  }
  throw new ClientError("bad_response", "The server sent something else than a list of conversations.");
}

function isSame(one: ConversationEntry, other: ConversationEntry): boolean {
  return one.title === other.title && one.events === other.events && one.updatedAt === other.updatedAt;
}

/** How many the server sends at first, if there are so many. */
const newest = 100;

const pageSize = 50;
