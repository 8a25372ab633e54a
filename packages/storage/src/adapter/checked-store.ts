import {
  callback,
  checkOption,
  checkOptions,
  flag,
  listOf,
  type OptionKind,
  type OptionTable,
  object,
  oneOf,
  required,
  signal,
  text,
} from "@cogency/protocol/options";
import type { PostOptions, WatchOptions } from "../inbox.ts";
import type { Key } from "../key.ts";
import type { Live, LiveOptions } from "../live.ts";
import type {
  AppendOptions,
  ConversationSummary,
  ConversationsOptions,
  FollowOptions,
  LeaseOptions,
  LoadOptions,
  SaveProfileOptions,
  SearchOptions,
  Store,
} from "../store.ts";
import type { ClaimOptions, SlotOptions, TimerOptions, WatchWakesOptions } from "../wakes.ts";

/**
 * Returns the store with a check of every key and of all options: an unknown name, one that is missing, or a value of a wrong type is
 * refused before the store is asked. A key with `userId` would otherwise name a conversation of the anonymous user. A summary of
 * `conversations` is taken as the key of its conversation. Ranges of numbers are checked by the store itself. Every adapter returns its store through this.
 *
 * Its methods throw TypeError with the `code` `invalid_option`; those that return a promise reject with it.
 */
export function checkedStore(store: Store): Store {
  return {
    async append(key, events, options) {
      checkKey("append", key);
      checkOptions("store.append", options, tables.append);
      return store.append(key, events, options);
    },
    async load(key, options) {
      checkKey("load", key);
      checkOptions("store.load", options, tables.load);
      return store.load(key, options);
    },
    async conversations(options) {
      checkOptions("store.conversations", options, tables.conversations);
      return store.conversations(options);
    },
    async delete(key) {
      checkKey("delete", key);
      return store.delete(key);
    },
    async search(words, options) {
      checkOption("store.search", "text", words, required(text));
      checkOption("store.search", "options", options, required(object));
      checkOptions("store.search", options, tables.search);
      return store.search(words, options);
    },
    async loadProfile(user) {
      checkOption("store.loadProfile", "user", user, text);
      return store.loadProfile(user);
    },
    async saveProfile(user, profile, options) {
      checkOption("store.saveProfile", "user", user, text);
      checkOptions("store.saveProfile", options, tables.saveProfile);
      return store.saveProfile(user, profile, options);
    },
    async deleteProfile(user) {
      checkOption("store.deleteProfile", "user", user, text);
      return store.deleteProfile(user);
    },
    async lease(key, options) {
      checkKey("lease", key);
      checkOptions("store.lease", options, tables.lease);
      return store.lease(key, options);
    },
    renew: (leases, ttl) => store.renew(leases, ttl),
    follow(key, options) {
      checkKey("follow", key);
      checkOptions("store.follow", options, tables.follow);
      return store.follow(key, options);
    },
    async post(key, message, options) {
      checkKey("post", key);
      checkOptions("store.post", options, tables.post);
      return store.post(key, message, options);
    },
    async inbox(key) {
      checkKey("inbox", key);
      return store.inbox(key);
    },
    watch(key, options) {
      checkKey("watch", key);
      checkOptions("store.watch", options, tables.watch);
      return store.watch(key, options);
    },
    async wake(key, options) {
      checkKey("wake", key);
      checkOptions("store.wake", options, tables.wake);
      return store.wake(key, options);
    },
    async claim(options) {
      checkOptions("store.claim", options, tables.claim);
      return store.claim(options);
    },
    done: (claim) => store.done(claim),
    defer: (claim, at) => store.defer(claim, at),
    renewClaim: (claim, ttl) => store.renewClaim(claim, ttl),
    park: (claim, reason) => store.park(claim, reason),
    async unpark(key) {
      checkKey("unpark", key);
      return store.unpark(key);
    },
    async parked(options) {
      checkOptions("store.parked", options, tables.scope);
      return store.parked(options);
    },
    async nextWake(options) {
      checkOptions("store.nextWake", options, tables.scope);
      return store.nextWake(options);
    },
    async queue(options) {
      checkOptions("store.queue", options, tables.scope);
      return store.queue(options);
    },
    watchWakes(options) {
      checkOptions("store.watchWakes", options, tables.watchWakes);
      return store.watchWakes(options);
    },
    async slot(name, options) {
      checkOption("store.slot", "name", name, required(text));
      checkOptions("store.slot", options, tables.slot);
      return store.slot(name, options);
    },
    owner: store.owner,
    live: {
      publisher(key, whole) {
        checkKey("live.publisher", key);
        checkOption("store.live.publisher", "whole", whole, required(callback));
        return store.live.publisher(key, whole);
      },
      follow(key, options) {
        checkKey("live.follow", key);
        checkOptions("store.live.follow", options, tables.live);
        return store.live.follow(key, options);
      },
    },
    close: () => store.close(),
  };
}

function checkKey(method: keyof Store | `live.${keyof Live}`, key: Key): void {
  const isSummary = typeof key === "object" && key !== null && "updatedAt" in key;
  checkOptions(`the key of store.${method}`, key, isSummary ? tables.summary : tables.key);
}

/** The store says which numbers it takes. */
const number: OptionKind = { wanted: "a number", isOfType: (value) => typeof value === "number" };

const keyTable = { conversation: required(text), user: text } satisfies OptionTable<Key>;

const tables = {
  key: keyTable,
  /** What `conversations` lists names its conversation, with its user. */
  summary: {
    ...keyTable,
    title: text,
    events: number,
    createdAt: number,
    updatedAt: number,
  } satisfies OptionTable<ConversationSummary>,
  append: {
    expected: number,
    batch: text,
    lease: object,
    takes: listOf(text, "an array of ids"),
    scope: text,
  } satisfies OptionTable<AppendOptions>,
  load: {
    after: number,
    last: number,
    limit: number,
    types: listOf(text, "an array of types of events"),
  } satisfies OptionTable<LoadOptions>,
  conversations: { user: text, limit: number, before: text } satisfies OptionTable<ConversationsOptions>,
  search: { user: text, exclude: text, limit: number } satisfies OptionTable<SearchOptions>,
  saveProfile: { expected: number, erase: flag } satisfies OptionTable<SaveProfileOptions>,
  lease: { owner: required(text), ttl: required(number) } satisfies OptionTable<LeaseOptions>,
  follow: { after: number, signal } satisfies OptionTable<FollowOptions>,
  post: { id: required(text), at: number, scope: text } satisfies OptionTable<PostOptions>,
  watch: { of: oneOf("all", "posts"), signal } satisfies OptionTable<WatchOptions>,
  live: { signal } satisfies OptionTable<LiveOptions>,
  wake: { id: required(text), at: required(number), scope: text } satisfies OptionTable<TimerOptions>,
  claim: {
    owner: required(text),
    limit: required(number),
    ttl: required(number),
    scope: text,
    perUser: number,
  } satisfies OptionTable<ClaimOptions>,
  scope: { scope: text } satisfies OptionTable<Pick<WatchWakesOptions, "scope">>,
  watchWakes: { scope: text, signal } satisfies OptionTable<WatchWakesOptions>,
  slot: {
    limit: required(number),
    owner: required(text),
    ttl: required(number),
  } satisfies OptionTable<SlotOptions>,
};
