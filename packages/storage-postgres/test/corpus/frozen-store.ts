import type {
  ConversationSummary,
  Key,
  Parked,
  Store,
  StoredEvent,
  StoredMessage,
  StoredProfile,
} from "@cogency/storage";
import { frozenScope } from "./contents.ts";

/** What a corpus file reads as: the JSON beside it. */
export interface FrozenStore {
  /** The version that is written into the schema. */
  schema: number;
  /** Every key that was ever written; a deleted one has no events. */
  logs: { key: Key; events: StoredEvent[] }[];
  batches: { key: Key; batch: string; result: number }[];
  /** Every user's whole list and profile; without `user` the anonymous one's. */
  users: { user?: string; conversations: ConversationSummary[]; profile: StoredProfile | null }[];
  /** The fencing token of a lease that still runs. */
  token: number;
  /** From version 2 on. */
  work?: FrozenWork;
}

/** What is there to do. */
export interface FrozenWork {
  inboxes: { key: Key; messages: StoredMessage[] }[];
  parked: Parked[];
}

/** The part of it that can be read from a store, for these keys and their users. */
export async function readStore(store: Store, keys: readonly Key[]): Promise<Pick<FrozenStore, "logs" | "users">> {
  const logs: FrozenStore["logs"] = [];
  for (const key of distinct(keys)) logs.push({ key, events: await store.load(key) });
  const users: FrozenStore["users"] = [];
  for (const { user } of distinct(keys.map(({ user }) => ({ user })))) {
    const conversations = await store.conversations({ user, limit: Number.POSITIVE_INFINITY });
    users.push({ ...(user === undefined ? {} : { user }), conversations, profile: await store.loadProfile(user) });
  }
  return { logs, users };
}

/** The same for the inboxes of these keys. */
export async function readWork(store: Store, keys: readonly Key[]): Promise<FrozenWork> {
  const inboxes: FrozenWork["inboxes"] = [];
  for (const key of distinct(keys)) inboxes.push({ key, messages: await store.inbox(key) });
  return { inboxes, parked: await store.parked({ scope: frozenScope }) };
}

/** By their JSON text: JSON escapes lone surrogates, so no two names become one. */
function distinct<T>(values: readonly T[]): T[] {
  return Array.from(new Map(values.map((value) => [JSON.stringify(value), value])).values());
}
