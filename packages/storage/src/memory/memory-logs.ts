import type { LogEvent } from "@cogency/protocol";
import { loadCount, wholeCount } from "../adapter/checked-numbers.ts";
import type { EventRow } from "../adapter/event-rows.ts";
import { extendSummary, type LogSummary } from "../adapter/log-summary.ts";
import type { Key } from "../key.ts";
import { passageTypes } from "../search/passages.ts";
import { rankMatches } from "../search/rank-matches.ts";
import { searchWords } from "../search/words.ts";
import type { ConversationSummary, Store, StoredEvent } from "../store.ts";

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
  readonly conversation: string;
  /** The conversations that were appended to before and after this one. */
  older: Log | undefined;
  newer: Log | undefined;
}

/** The conversations of one user. */
interface UserLogs {
  readonly byName: Map<string, Log>;
  /** The one that was appended to last. */
  newest: Log | undefined;
}

export function memoryLogs(): MemoryLogs {
  const users = new Map<string | undefined, UserLogs>();

  return {
    lastOf: (key) => find(key)?.events.length ?? 0,

    resultOf: (key, batch) => (batch === undefined ? undefined : find(key)?.batches.get(batch)),

    add(key, events, rows, batch) {
      const log = find(key);
      const { conversation } = key;
      const nothing = { events: [], batches: new Map(), summary: extendSummary(undefined, []) };
      const grown: Log = log ?? { ...nothing, conversation, older: undefined, newer: undefined };
      grown.summary = extendSummary(log?.summary, events);
      for (const row of rows) grown.events.push(row);
      if (batch !== undefined) grown.batches.set(batch, grown.events.length);
      makeNewest(key.user, grown);
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
      const { byName, newest } = users.get(user) ?? noLogs;
      const page: ConversationSummary[] = [];
      let log = before === undefined ? newest : byName.get(before)?.older;
      for (; log && page.length < most; log = log.older) {
        page.push({ conversation: log.conversation, ...(user === undefined ? {} : { user }), ...log.summary });
      }
      return page;
    },

    async search(text, { user, exclude, limit = 20 }) {
      const most = wholeCount("limit", limit);
      const candidates = newestFirst(users.get(user))
        .filter(({ conversation }) => conversation !== exclude)
        .flatMap(({ conversation, events }) =>
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
      const logs = users.get(user);
      const log = logs?.byName.get(conversation);
      if (!logs || !log) return;
      unlink(logs, log);
      logs.byName.delete(conversation);
      if (logs.byName.size === 0) users.delete(user);
    },

    clear: () => users.clear(),
  };

  function find({ conversation, user }: Key): Log | undefined {
    return users.get(user)?.byName.get(conversation);
  }

  function makeNewest(user: string | undefined, log: Log): void {
    const logs = users.get(user) ?? { byName: new Map<string, Log>(), newest: undefined };
    if (logs.byName.has(log.conversation)) unlink(logs, log);
    logs.byName.set(log.conversation, log);
    log.older = logs.newest;
    log.newer = undefined;
    if (logs.newest) logs.newest.newer = log;
    logs.newest = log;
    users.set(user, logs);
  }
}

const noLogs: UserLogs = { byName: new Map(), newest: undefined };

function unlink(logs: UserLogs, log: Log): void {
  if (log.newer) log.newer.older = log.older;
  else logs.newest = log.older;
  if (log.older) log.older.newer = log.newer;
}

function newestFirst({ newest }: UserLogs = noLogs): Log[] {
  const found: Log[] = [];
  for (let log = newest; log; log = log.older) found.push(log);
  return found;
}

/** How many events `follow` reads at once. */
const pageSize = 500;

function storedEvent({ text }: EventRow, seq: number): StoredEvent {
  return { ...(JSON.parse(text) as LogEvent), seq };
}
