import type { LogEvent } from "@cogency/protocol";
import { cleanEvents } from "./clean-events.ts";
import { ConflictError, StoreError } from "./errors.ts";
import { type EventRow, eventRows } from "./event-rows.ts";
import { extendSummary, type LogSummary } from "./log-summary.ts";
import type { ConversationSummary, Key, Store, StoredEvent } from "./store.ts";
import { wholeCount } from "./whole-count.ts";

/** A conversation as it is kept: events as JSON text, so that nobody can reach the log through a reference. */
interface Log {
  events: EventRow[];
  /** The result of each batch that was stored under an id. */
  batches: Map<string, number>;
  summary: LogSummary;
}

/** A store that lives and dies with the process. Runs wherever JavaScript does. */
export function memoryStore(): Store {
  /** The conversations of each user, the most recently appended last. */
  const users = new Map<string | undefined, Map<string, Log>>();
  let isClosed = false;

  return {
    async append(key, events, { expected, batch } = {}) {
      refuseIfClosed();
      const cleaned = cleanEvents(events);
      const rows = eventRows(cleaned);
      const log = find(key);
      const stored = batch === undefined ? undefined : log?.batches.get(batch);
      if (stored !== undefined) return stored;
      const actual = log?.events.length ?? 0;
      if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual);
      if (cleaned.length === 0) return actual;

      const grown = {
        events: log?.events ?? [],
        batches: log?.batches ?? new Map<string, number>(),
        summary: extendSummary(log?.summary, cleaned),
      };
      for (const row of rows) grown.events.push(row);
      if (batch !== undefined) grown.batches.set(batch, grown.events.length);
      moveToEnd(key, grown);
      return grown.events.length;
    },

    async load(key, { after = 0, last = Number.POSITIVE_INFINITY, types } = {}) {
      refuseIfClosed();
      const most = wholeCount("last", last);
      const events = find(key)?.events ?? [];
      const found: StoredEvent[] = [];
      for (let seq = events.length; seq > after && found.length < most; seq--) {
        const event = events[seq - 1];
        if (!event || (types && !types.includes(event.type))) continue;
        found.push({ ...(JSON.parse(event.text) as LogEvent), seq });
      }
      return found.reverse();
    },

    async conversations({ user, limit = 50, before } = {}) {
      refuseIfClosed();
      const most = wholeCount("limit", limit);
      const newestFirst = [...(users.get(user) ?? [])].reverse();
      const start = before === undefined ? 0 : placeAfter(newestFirst, before);
      return newestFirst.slice(start, start + most).map(
        ([conversation, { summary }]): ConversationSummary => ({
          conversation,
          ...(user === undefined ? {} : { user }),
          ...summary,
        }),
      );
    },

    async delete({ conversation, user }) {
      refuseIfClosed();
      const conversations = users.get(user);
      const existed = conversations?.delete(conversation) ?? false;
      if (conversations?.size === 0) users.delete(user);
      return existed;
    },

    async close() {
      isClosed = true;
      users.clear();
    },
  };

  function refuseIfClosed(): void {
    if (isClosed) throw new StoreError("closed", "The store was closed. Make a new one.");
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

/** A name that is not in the list has nothing after it. */
function placeAfter(list: readonly (readonly [string, Log])[], name: string): number {
  const place = list.findIndex(([conversation]) => conversation === name);
  return place < 0 ? list.length : place + 1;
}
