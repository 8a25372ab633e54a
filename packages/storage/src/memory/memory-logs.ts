import type { LogEvent } from "@cogency/protocol";
import type { EventRow } from "../adapter/event-rows.ts";
import { loadCount } from "../adapter/load-count.ts";
import { extendSummary, type LogSummary } from "../adapter/log-summary.ts";
import { wholeCount } from "../adapter/whole-count.ts";
import { passageTypes } from "../search/passages.ts";
import { rankMatches } from "../search/rank-matches.ts";
import { searchWords } from "../search/words.ts";
import type { ConversationSummary, Key, Store, StoredEvent } from "../store.ts";

/** The logs of `memoryStore`. */
export interface MemoryLogs extends Pick<Store, "load" | "conversations" | "search"> {
  /** The last sequence number; 0 for a key without a log. */
  lastOf(key: Key): number;
  /** The result of a batch that was stored before. */
  resultOf(key: Key, batch: string | undefined): number | undefined;
  /** Stores the events that `eventRows` accepted, and returns the number of the last. */
  add(key: Key, events: readonly LogEvent[], rows: readonly EventRow[], batch: string | undefined): number;
  /** Returns a function that reads the next events of the log, as `followLog` needs it. */
  reader(key: Key): (after: number) => readonly StoredEvent[] | "deleted";
  remove(key: Key): void;
  clear(): void;
}

/** One conversation. Events are JSON text, so that no caller has a reference into the log. */
interface Log {
  events: EventRow[];
  /** The result of each batch by its id. */
  batches: Map<string, number>;
  summary: LogSummary;
}

export function memoryLogs(): MemoryLogs {
  /** The conversations of each user. The most recently appended is the last. */
  const users = new Map<string | undefined, Map<string, Log>>();

  return {
    lastOf: (key) => find(key)?.events.length ?? 0,

    resultOf: (key, batch) => (batch === undefined ? undefined : find(key)?.batches.get(batch)),

    add(key, events, rows, batch) {
      const log = find(key);
      const grown: Log = log ?? { events: [], batches: new Map(), summary: extendSummary(undefined, []) };
      grown.summary = extendSummary(log?.summary, events);
      for (const row of rows) grown.events.push(row);
      if (batch !== undefined) grown.batches.set(batch, grown.events.length);
      moveToEnd(key, grown);
      return grown.events.length;
    },

    async load(key, options = {}) {
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

    async search(text, { user, exclude, limit = 20 }) {
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

    reader(key) {
      let followed: Log | undefined;
      return (after) => {
        const log = find(key);
        if (followed && log !== followed) return "deleted";
        followed = log;
        const rows = log?.events.slice(after, after + pageSize) ?? [];
        return rows.map((row, index) => storedEvent(row, after + index + 1));
      };
    },

    remove({ conversation, user }) {
      const conversations = users.get(user);
      conversations?.delete(conversation);
      if (conversations?.size === 0) users.delete(user);
    },

    clear: () => users.clear(),
  };

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
