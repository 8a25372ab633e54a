import type { LogEvent } from "@cogency/protocol";
import { ConflictError, type Key } from "@cogency/storage";
import { type AppendOptions, cleanEvents, eventRows, takenIds, titleOf } from "@cogency/storage/adapter";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import type { TakeMessages } from "./inbox/inbox.ts";
import type { Leases } from "./leases.ts";
import { eventChecksum, rowChecksum } from "./rows/checksum.ts";
import { eventPlace, placeOfLastEvent, seqAt } from "./rows/event-place.ts";
import { type KeyTexts, keyTexts } from "./rows/names.ts";
import type { Due, Keys } from "./wakes/keys.ts";
import type { WatchedKeys } from "./watch/watched-keys.ts";

export type Append = (
  key: Key,
  events: readonly LogEvent[],
  options: AppendOptions | undefined,
) => number | Promise<number>;

/** A log as it is before an append. */
interface Log {
  id: number;
  /** The last sequence number. */
  last: number;
  /** The checksum of the last event. */
  checksum: number;
  isTopOfList: boolean;
  hasTitle: boolean;
}

interface Parts {
  leases: Leases;
  keys: Keys;
  takeMessages: TakeMessages;
  due: Due;
  watched: WatchedKeys;
}

export function prepareAppend({ sqlite, path, write }: Database, parts: Parts): Append {
  const { leases, keys, takeMessages, due, watched } = parts;
  const findLog = sqlite.prepare(`
    SELECT id, title <> '' AS hasTitle,
      position = (SELECT max(position) FROM conversations WHERE user = ?) AS isTopOfList,
      ${seqAt("place")} AS last, events.checksum AS checksum
    FROM conversations LEFT JOIN events
      ON place = ${placeOfLastEvent("id")}
    WHERE user = ? AND name = ?`);
  const addLog = sqlite.prepare(`
    INSERT INTO conversations (id, user, name, position, title, created_at, checksum, indexed)
    VALUES ($id, $user, $name, (SELECT coalesce(max(position), 0) + 1 FROM conversations WHERE user = $user),
      $title, $createdAt, $checksum, 0)`);
  const moveToTop = sqlite.prepare(`
    UPDATE conversations
    SET position = (SELECT max(position) + 1 FROM conversations AS other WHERE other.user = conversations.user)
    WHERE id = ?`);
  const findCreatedAt = sqlite.prepare("SELECT created_at AS createdAt FROM conversations WHERE id = ?");
  const setTitle = sqlite.prepare("UPDATE conversations SET title = ?, checksum = ? WHERE id = ?");
  const addEvent = sqlite.prepare(
    `INSERT INTO events (place, type, event, checksum) VALUES (${eventPlace("?", "?")}, ?, ?, ?)`,
  );
  const findBatch = sqlite.prepare("SELECT result, checksum FROM batches WHERE conversation = ? AND id = ?");
  const addBatch = sqlite.prepare("INSERT INTO batches (conversation, id, result, checksum) VALUES (?, ?, ?, ?)");

  return (key, events, { expected, batch, lease, takes, scope } = {}) => {
    const cleaned = cleanEvents(events);
    const rows = eventRows(cleaned);
    const taken = takenIds(takes, events);
    const texts = keyTexts(key);
    const { user, name } = texts;
    const batchId = batch === undefined ? undefined : JSON.stringify(batch);

    return write(() => {
      const log = find(user, name);
      const stored = log && batchId !== undefined ? resultOf(log.id, batchId) : undefined;
      if (stored !== undefined) return stored;
      leases.check(user, name, lease);
      const actual = log?.last ?? 0;
      if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual);
      if (rows.length === 0) return actual;

      if (taken.length > 0) takeMessages(keys.find(texts), taken);
      const id = log ? extend(log, user, name, cleaned) : create(texts, scope, cleaned);
      if (!log || taken.length > 0) due.update(id);
      let checksum = log?.checksum ?? id;
      let seq = actual;
      for (const { type, text } of rows) {
        seq += 1;
        checksum = eventChecksum(checksum, text);
        addEvent.run(id, seq, type, text, checksum);
      }
      if (batchId !== undefined) addBatch.run(id, batchId, seq, rowChecksum(id, batchId, seq));
      watched.all.touched(texts);
      return seq;
    });
  };

  function find(user: string, name: string): Log | undefined {
    const row = findLog.get(user, user, name);
    if (!row) return undefined;
    const { id, last, checksum, isTopOfList, hasTitle } = row;
    if (last === null) throw damaged(path, `conversation ${name} has lost its events`);
    return {
      id: Number(id),
      last: Number(last),
      checksum: Number(checksum),
      isTopOfList: isTopOfList === 1,
      hasTitle: hasTitle === 1,
    };
  }

  function resultOf(conversation: number, batchId: string): number | undefined {
    const row = findBatch.get(conversation, batchId);
    if (!row) return undefined;
    const result = Number(row.result);
    if (rowChecksum(conversation, batchId, result) === row.checksum) return result;
    throw damaged(path, "the result of a batch is not what was stored (its checksum differs)");
  }

  function create(key: KeyTexts, scope: string | undefined, events: readonly LogEvent[]): number {
    const id = keys.write(key, scope);
    const { title } = titleOf(events);
    const createdAt = events[0]?.timestamp ?? 0;
    addLog.run({ id, ...key, title, createdAt, checksum: rowChecksum(key.user, key.name, title, createdAt) });
    return id;
  }

  /** Rewrites the row of the conversation only if it changes: rewriting it costs as much as storing an event. */
  function extend({ id, isTopOfList, hasTitle }: Log, user: string, name: string, events: readonly LogEvent[]): number {
    if (!isTopOfList) moveToTop.run(id);
    const { title, isGiven } = titleOf(events);
    if (title !== "" && (isGiven || !hasTitle)) {
      setTitle.run(title, rowChecksum(user, name, title, Number(findCreatedAt.get(id)?.createdAt)), id);
    }
    return id;
  }
}
