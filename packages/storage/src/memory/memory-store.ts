import type { LogEvent } from "@cogency/protocol";
import { createChanges } from "../adapter/changes.ts";
import { cleanEvents } from "../adapter/clean-events.ts";
import { type EventRow, eventRows } from "../adapter/event-rows.ts";
import { followLog } from "../adapter/follow-log.ts";
import { loadCount } from "../adapter/load-count.ts";
import { extendSummary, type LogSummary } from "../adapter/log-summary.ts";
import { profileText } from "../adapter/profile-text.ts";
import { wholeCount } from "../adapter/whole-count.ts";
import { ConflictError, StoreError } from "../errors.ts";
import { passageTypes } from "../search/passages.ts";
import { rankMatches } from "../search/rank-matches.ts";
import { searchWords } from "../search/words.ts";
import type { ConversationSummary, Key, Store, StoredEvent, StoredProfile } from "../store.ts";
import { memoryLeases } from "./memory-leases.ts";

export interface MemoryStoreOptions {
  /** Returns Unix time in milliseconds; leases expire by it. Defaults to `Date.now`. */
  clock?: (() => number) | undefined;
}

/** One conversation. Events are JSON text, so that no caller has a reference into the log. */
interface Log {
  events: EventRow[];
  /** The result of each batch by its id. */
  batches: Map<string, number>;
  summary: LogSummary;
}

/** A store in memory. Its data ends with the process. Runs in Node, browsers and workers. */
export function memoryStore({ clock = Date.now }: MemoryStoreOptions = {}): Store {
  /** The conversations of each user. The most recently appended is the last. */
  const users = new Map<string | undefined, Map<string, Log>>();
  const profiles = new Map<string | undefined, { text: string; version: number }>();
  const leases = memoryLeases(clock, refuseIfClosed);
  const changes = createChanges();
  let isClosed = false;

  return {
    async append(key, events, { expected, batch, lease } = {}) {
      refuseIfClosed();
      const cleaned = cleanEvents(events);
      const rows = eventRows(cleaned);
      const log = find(key);
      const stored = batch === undefined ? undefined : log?.batches.get(batch);
      if (stored !== undefined) return stored;
      leases.check(key, lease);
      const actual = log?.events.length ?? 0;
      if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual);
      if (cleaned.length === 0) return actual;

      const grown: Log = log ?? { events: [], batches: new Map(), summary: extendSummary(undefined, []) };
      grown.summary = extendSummary(log?.summary, cleaned);
      for (const row of rows) grown.events.push(row);
      if (batch !== undefined) grown.batches.set(batch, grown.events.length);
      moveToEnd(key, grown);
      changes.announce();
      return grown.events.length;
    },

    async load(key, options = {}) {
      refuseIfClosed();
      const { most, fromStart } = loadCount(options);
      const { after = 0, types } = options;
      const start = Math.max(0, after);
      const events = find(key)?.events ?? [];
      const found: StoredEvent[] = [];
      let seq = fromStart ? Math.floor(start) + 1 : events.length;
      for (; seq > start && seq <= events.length && found.length < most; seq += fromStart ? 1 : -1) {
        const event = events[seq - 1];
        if (event && (!types || types.includes(event.type))) found.push(storedEvent(event, seq));
      }
      return fromStart ? found : found.reverse();
    },

    async conversations({ user, limit = 50, before } = {}) {
      refuseIfClosed();
      const most = wholeCount("limit", limit);
      const newestFirst = [...(users.get(user) ?? [])].reverse();
      const start = before === undefined ? 0 : indexAfter(newestFirst, before);
      return newestFirst.slice(start, start + most).map(
        ([conversation, { summary }]): ConversationSummary => ({
          conversation,
          ...(user === undefined ? {} : { user }),
          ...summary,
        }),
      );
    },

    async delete(key) {
      refuseIfClosed();
      leases.remove(key);
      const conversations = users.get(key.user);
      const existed = conversations?.delete(key.conversation) ?? false;
      if (conversations?.size === 0) users.delete(key.user);
      changes.announce();
      return existed;
    },

    async search(text, { user, exclude, limit = 20 }) {
      refuseIfClosed();
      const most = wholeCount("limit", limit);
      const candidates = [...(users.get(user) ?? [])]
        .filter(([conversation]) => conversation !== exclude)
        .reverse()
        .flatMap(([conversation, { events }]) =>
          events
            .map((row, index) => ({ row, seq: index + 1 }))
            .filter(({ row }) => passageTypes.includes(row.type))
            .map(({ row, seq }) => ({ conversation, event: storedEvent(row, seq) }))
            .reverse(),
        );
      return rankMatches(searchWords(text), candidates, most);
    },

    async loadProfile(user) {
      refuseIfClosed();
      const found = profiles.get(user);
      return found ? { profile: JSON.parse(found.text) as StoredProfile["profile"], version: found.version } : null;
    },

    async saveProfile(user, profile, { expected } = {}) {
      refuseIfClosed();
      const text = profileText(profile);
      const actual = profiles.get(user)?.version ?? 0;
      if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual, "profile");
      profiles.set(user, { text, version: actual + 1 });
      return actual + 1;
    },

    async deleteProfile(user) {
      refuseIfClosed();
      return profiles.delete(user);
    },

    async lease(key, options) {
      refuseIfClosed();
      return leases.grant(key, options);
    },

    renew: leases.renew,

    follow(key, options = {}) {
      let followed: Log | undefined;
      const read = async (after: number): Promise<StoredEvent[] | "deleted"> => {
        refuseIfClosed();
        const log = find(key);
        if (followed && log !== followed) return "deleted";
        followed = log;
        const rows = log?.events.slice(after, after + pageSize) ?? [];
        return rows.map((row, index) => storedEvent(row, after + index + 1));
      };
      return followLog({ read, change: changes.next }, options);
    },

    async close() {
      isClosed = true;
      users.clear();
      profiles.clear();
      changes.announce();
    },
  };

  function refuseIfClosed(): void {
    if (isClosed) throw new StoreError("closed", "The store was closed. Create a new one.");
  }

  function find({ conversation, user }: Key): Log | undefined {
    return users.get(user)?.get(conversation);
  }

  function moveToEnd({ conversation, user }: Key, log: Log): void {
    const conversations = users.get(user) ?? new Map<string, Log>();
    conversations.delete(conversation);
    users.set(user, conversations.set(conversation, log));
  }
}

/** How many events `follow` reads at once. */
const pageSize = 500;

function storedEvent({ text }: EventRow, seq: number): StoredEvent {
  return { ...(JSON.parse(text) as LogEvent), seq };
}

/** The index after the conversation; the end of the list if it does not contain the conversation. */
function indexAfter(list: readonly (readonly [string, Log])[], name: string): number {
  const index = list.findIndex(([conversation]) => conversation === name);
  return index < 0 ? list.length : index + 1;
}
