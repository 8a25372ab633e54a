import type { Claim, ConversationSummary, Key, Parked, Store, StoredEvent, StoredMessage } from "@cogency/storage";
import type { FrozenPost, FrozenProfile } from "./contents.ts";

/** What a corpus file reads as: the JSON beside it. */
export interface FrozenStore {
  /** The version that is written into the file. */
  schema: number;
  /** Every key that was ever written; a deleted one has no events. */
  logs: { key: Key; events: StoredEvent[] }[];
  batches: { key: Key; batch: string; result: number }[];
  /** Every user's whole list; without `user` the anonymous one's. */
  lists: { user?: string; conversations: ConversationSummary[] }[];
  /** Empty before schema 2, as are the leases. */
  profiles: FrozenProfile[];
  /** In the order of their tokens. */
  leases: { key: Key; owner: string; token: number; expiresAt: number }[];
  /** Absent before schema 3. */
  wakes?: FrozenWakes;
}

/** The messages and wakes of a corpus file. */
export interface FrozenWakes {
  inboxes: { key: Key; messages: StoredMessage[] }[];
  /** Every message that was posted, in the order of the posts. */
  posts: FrozenPost[];
  /** When the next conversation of a scope can be claimed, for all scopes that have one later than now. */
  later: { scope: string; at: number }[];
  /** A conversation of this scope is due for these reasons. */
  due: { scope: string; key: Key; reasons: string[] };
  /** It lasts until after our days. */
  claim: Claim;
  parked: { scope: string; parked: Parked[] };
}

/** The part of it that can be read from a store, for these keys and their users. */
export async function readStore(store: Store, keys: readonly Key[]): Promise<Pick<FrozenStore, "logs" | "lists">> {
  const logs: FrozenStore["logs"] = [];
  for (const key of distinct(keys)) logs.push({ key, events: await store.load(key) });
  const lists: FrozenStore["lists"] = [];
  for (const { user } of distinct(keys.map(({ user }) => ({ user })))) {
    const conversations = await store.conversations({ user, limit: Number.POSITIVE_INFINITY });
    lists.push(user === undefined ? { conversations } : { user, conversations });
  }
  return { logs, lists };
}

/** By their JSON text: JSON escapes lone surrogates, so no two names become one. */
export function distinct<T>(values: readonly T[]): T[] {
  return Array.from(new Map(values.map((value) => [JSON.stringify(value), value])).values());
}
