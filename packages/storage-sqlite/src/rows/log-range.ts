import type { StoredEvent } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { eventChecksum } from "./checksum.ts";
import { eventPlace } from "./event-place.ts";
import { eventColumns, parseEvent, storedEvent } from "./stored-event.ts";

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
