import type { StoredEvent } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { eventChecksum, rowChecksum } from "./checksum.ts";
import { conversationAt, eventPlace, placeOfLastEvent, seqAt } from "./event-place.ts";

/** The columns that `storedEvent` needs. */
export const eventColumns = `
  ${conversationAt("place")} AS conversation, ${seqAt("place")} AS seq, type, event, events.checksum AS checksum,
  (SELECT earlier.checksum FROM events AS earlier WHERE earlier.place = events.place - 1) AS before`;

/**
 * Reads the event of a row with `eventColumns`.
 *
 * @throws StoreError `corrupt` if it is not the event that was stored with this sequence number
 */
export function storedEvent(
  { conversation, seq, type, event, checksum, before }: Record<string, unknown>,
  path: string,
): StoredEvent {
  const number = Number(seq);
  const text = String(event);
  if (before === null && number !== 1) throw damaged(path, `event ${number - 1} is missing`);
  if (eventChecksum(Number(before ?? conversation), text) !== checksum) {
    throw damaged(path, `event ${number} is not what was stored (its checksum differs)`);
  }
  const stored = parseEvent(text, number, path);
  if (stored.type !== type) throw damaged(path, `the type of event ${number} is not what was stored`);
  return stored;
}

/** @throws StoreError `corrupt` for a text that is no event; version 1 stored events without checksums */
function parseEvent(text: string, seq: number, path: string): StoredEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // No `cause`: its message would quote the text.
    throw damaged(path, `event ${seq} is not JSON`);
  }
  if (!isEvent(value)) throw damaged(path, `event ${seq} is JSON, but not an event`);
  // Changes the object in place: it is new, and stored events have no `seq`.
  value.seq = seq;
  return value;
}

/** Checks the shape only: the content of an event was checked when it was stored. */
function isEvent(value: unknown): value is StoredEvent {
  return typeof value === "object" && value !== null && "type" in value;
}

/**
 * Reads the events of a conversation from `first` to `last`. Must be called inside a transaction.
 *
 * @throws StoreError `corrupt` if an event is missing or damaged
 */
export type LogRange = (conversation: number, first: number, last: number) => StoredEvent[];

/**
 * Reads page by page. SQLite joins the texts of a page by line ends: creating one object per row would cost more than
 * reading it.
 */
export function prepareLogRange({ sqlite, path }: Database): LogRange {
  const place = { first: eventPlace("$id", "$first"), last: eventPlace("$id", "$last") };
  const range = `FROM events WHERE place BETWEEN ${place.first} AND ${place.last}`;
  const measure = sqlite.prepare(`SELECT sum(octet_length(event)) AS bytes ${range}`);
  const readJoined = sqlite.prepare(`
    SELECT group_concat(event, char(10)) AS texts, group_concat(type, char(10)) AS types, count(*) AS count,
      (SELECT checksum FROM events WHERE place = ${place.first} - 1) AS before,
      (SELECT checksum FROM events WHERE place = ${place.last}) AS checksum
    FROM (SELECT type, event ${range} ORDER BY place)`);
  const readRows = sqlite.prepare(`SELECT ${eventColumns} ${range} ORDER BY place`);

  return (id, first, last) => {
    const log: StoredEvent[] = [];
    for (let start = first; start <= last; start += pageSize) {
      for (const event of readPage({ id, first: start, last: Math.min(last, start + pageSize - 1) })) log.push(event);
    }
    return log;
  };

  function readPage(page: Page): StoredEvent[] {
    const isLarge = Number(measure.get({ ...page })?.bytes) > largestJoined;
    return (isLarge ? undefined : joined(page)) ?? oneByOne(page);
  }

  /** Returns undefined if the page is damaged. */
  function joined(page: Page): StoredEvent[] | undefined {
    const row = readJoined.get({ ...page });
    if (row?.count !== page.last - page.first + 1) return undefined;
    const before = page.first === 1 ? page.id : row.before;
    const joinedTexts = String(row.texts);
    if (before === null || eventChecksum(Number(before), joinedTexts) !== row.checksum) return undefined;
    const types = String(row.types).split("\n");
    const events = joinedTexts.split("\n").map((text, index) => parseEvent(text, page.first + index, path));
    return events.every(({ type }, index) => type === types[index]) ? events : undefined;
  }

  /** Throws an error that names the damaged event. */
  function oneByOne(page: Page): StoredEvent[] {
    const rows = readRows.all({ ...page });
    return Array.from({ length: page.last - page.first + 1 }, (_, index) => {
      const row = rows[index];
      if (row?.seq !== page.first + index) throw damaged(path, `event ${page.first + index} is missing`);
      return storedEvent(row, path);
    });
  }
}

interface Page {
  id: number;
  first: number;
  last: number;
}

/** How many events one page has. */
const pageSize = 1_000;
/** Bytes of the largest page that is read as one joined text. */
const largestJoined = 16_000_000;

/** The columns that `conversationOf` needs. */
export const conversationColumns = "user, name, title, created_at AS createdAt, conversations.checksum AS rowChecksum";

/** Selects the id of a conversation and the last sequence number of its log, for a user and a name. */
export const selectLogEnd = `
  SELECT id, ${seqAt(placeOfLastEvent("id"))} AS last FROM conversations WHERE user = ? AND name = ?`;

/** Counts the first events of a range before which there are fewer than `$bytes` bytes of others. */
export const selectFitting = `
  SELECT count(*) AS count FROM (
    SELECT sum(octet_length(event)) OVER (ORDER BY place) - octet_length(event) AS before
    FROM events WHERE place BETWEEN ${eventPlace("$id", "$first")} AND ${eventPlace("$id", "$last")}
  ) WHERE before < $bytes`;

/**
 * Reads the row of a conversation.
 *
 * @throws StoreError `corrupt` if its checksum differs
 */
export function conversationOf(
  { user, name, title, createdAt, rowChecksum: checksum }: Record<string, unknown>,
  path: string,
): { conversation: string; title: string; createdAt: number } {
  const row = { conversation: String(name), title: String(title), createdAt: Number(createdAt) };
  if (rowChecksum(String(user), row.conversation, row.title, row.createdAt) !== checksum) {
    throw damaged(path, "the name or the title of a conversation is not what was stored (its checksum differs)");
  }
  return { ...row, conversation: JSON.parse(row.conversation) as string };
}
