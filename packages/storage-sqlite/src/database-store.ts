import type { DatabaseSync } from "node:sqlite";
import type { LogEvent } from "@cogency/protocol";
import {
  ConflictError,
  type ConversationSummary,
  cleanEvents,
  eventRows,
  extendSummary,
  type Key,
  type LogSummary,
  type Store,
  type StoredEvent,
  StoreError,
  wholeCount,
} from "@cogency/storage";
import { prepareStatements } from "./statements.ts";
import { storeErrorOf } from "./store-error-of.ts";
import { transaction } from "./transaction.ts";

/** The store over an open database that has the tables of schema.ts, and which it closes. `path` is for messages. */
export function databaseStore(database: DatabaseSync, path: string): Store {
  const statements = attempt(() => prepareStatements(database));
  let isClosed = false;

  return {
    async append(key, events, { expected, batch } = {}) {
      refuseIfClosed();
      const cleaned = cleanEvents(events);
      const rows = eventRows(cleaned);
      const write = (): number => {
        const log = findLog(key);
        const stored = log && batch !== undefined ? statements.findBatch.get(log.id, JSON.stringify(batch)) : undefined;
        if (stored) return Number(stored.result);
        const actual = log?.summary.events ?? 0;
        if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual);
        if (cleaned.length === 0) return actual;

        const summary = extendSummary(log?.summary, cleaned);
        const id = saveLog(key, summary);
        for (const [index, { type, text }] of rows.entries()) {
          statements.addEvent.run(id, actual + index + 1, type, text);
        }
        if (batch !== undefined) statements.addBatch.run(id, JSON.stringify(batch), summary.events);
        return summary.events;
      };
      return attempt(() => transaction(database, "IMMEDIATE", write));
    },

    async load(key, { after = 0, last = Number.POSITIVE_INFINITY, types } = {}) {
      refuseIfClosed();
      const most = wholeCount("last", last);
      const [user, name] = nameTexts(key);
      const wanted = { user, name, after, types: types ? JSON.stringify(types) : null, limit: limitOf(most) };
      const rows = attempt(() => statements.loadLastFirst.all(wanted));
      const log = rows.reverse().map(({ seq, event }): StoredEvent => {
        return { ...parse(event, `event ${seq}`, isEvent, "an event"), seq: Number(seq) };
      });
      if (!types) refuseGap(log, log.length < most ? Math.floor(Math.max(0, after)) : undefined);
      return log;
    },

    async conversations({ user, limit = 50, before } = {}) {
      refuseIfClosed();
      const most = wholeCount("limit", limit);
      const start = before === undefined ? null : JSON.stringify(before);
      const wanted = { user: userText(user), before: start, limit: limitOf(most) };
      const rows = attempt(() => statements.listLogs.all(wanted));
      return rows.map(
        (row): ConversationSummary => ({
          conversation: parse(row.name, "a conversation's name", isString, "a string"),
          ...(user === undefined ? {} : { user }),
          ...summaryOf(row),
        }),
      );
    },

    async delete(key) {
      refuseIfClosed();
      return attempt(() => {
        const { changes } = statements.deleteLog.run(...nameTexts(key));
        // secure_delete has overwritten it in the database; this empties the log of past writes, where it stands too.
        if (Number(changes) > 0) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        return Number(changes) > 0;
      });
    },

    async close() {
      if (isClosed) return;
      isClosed = true;
      attempt(() => database.close());
    },
  };

  function refuseIfClosed(): void {
    if (isClosed) throw new StoreError("closed", `The store at ${path} was closed. Open it again.`);
  }

  function attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error, path);
    }
  }

  function findLog(key: Key): { id: number; summary: LogSummary } | undefined {
    const row = statements.findLog.get(...nameTexts(key));
    return row && { id: Number(row.id), summary: summaryOf(row) };
  }

  function saveLog(key: Key, { title, events, createdAt, updatedAt }: LogSummary): number {
    const [user, name] = nameTexts(key);
    const row = statements.saveLog.get({ user, name, title, events, createdAt, updatedAt });
    return Number(row?.id);
  }

  function parse<T>(text: unknown, what: string, isKind: (value: unknown) => value is T, kind: string): T {
    let value: unknown;
    try {
      value = JSON.parse(String(text));
    } catch {
      // Without the cause: its message quotes the text.
      throw damaged(`${what} is not JSON`);
    }
    if (!isKind(value)) throw damaged(`${what} is JSON, but not ${kind}`);
    return value;
  }

  /** `before` is the number before the first one; not known when older events were left out. */
  function refuseGap(log: readonly StoredEvent[], before = (log[0]?.seq ?? 1) - 1): void {
    const gap = log.findIndex(({ seq }, index) => seq !== before + index + 1);
    if (gap >= 0) throw damaged(`event ${before + gap + 1} is missing`);
  }

  function damaged(problem: string): StoreError {
    return new StoreError("corrupt", `${path} is damaged: ${problem}. Restore a backup.`);
  }
}

/** By its shape only: what an event may hold was checked when it was stored. */
function isEvent(value: unknown): value is LogEvent {
  return typeof value === "object" && value !== null && "type" in value;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function nameTexts({ conversation, user }: Key): [user: string, name: string] {
  return [userText(user), JSON.stringify(conversation)];
}

function userText(user: string | undefined): string {
  return JSON.stringify(user ?? null);
}

function summaryOf(row: Record<string, unknown>): LogSummary {
  return {
    title: String(row.title),
    events: Number(row.events),
    createdAt: Number(row.createdAt),
    updatedAt: Number(row.updatedAt),
  };
}

/** SQLite takes a negative limit for none. */
function limitOf(count: number): number {
  return count === Number.POSITIVE_INFINITY ? -1 : count;
}
