import type { Store, StoredEvent } from "@cogency/storage";
import { loadCount } from "@cogency/storage/adapter";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import { arrayLiteral } from "./database/quote.ts";
import { keyNames, limitOf } from "./rows/names.ts";
import { storedEvent } from "./rows/stored-event.ts";

export function prepareLoad({ schema, location, run, refuseIfClosed }: Database): Store["load"] {
  const log = `FROM ${schema}.events WHERE conversation = (SELECT id FROM ${schema}.conversations WHERE key = $1) AND seq > $2`;
  const all = `SELECT seq, event ${log} ORDER BY seq`;
  const some = (order: string) => `SELECT seq, event ${log} ORDER BY seq ${order} LIMIT $3`;
  const ofTypes = (order: string) =>
    `SELECT seq, event ${log} AND type = ANY ($4::text[]) ORDER BY seq ${order} LIMIT $3`;

  return async (key, options = {}) => {
    refuseIfClosed();
    const { most, fromStart } = loadCount(options);
    const { after = 0, types } = options;
    const seen = Math.floor(Math.max(0, after));
    // No log is that long, and no sequence number is greater than NaN.
    if (!Number.isSafeInteger(seen)) return [];
    const limit = limitOf(most);
    const { key: keyHash } = keyNames(key);
    const order = fromStart ? "ASC" : "DESC";
    const inOrder = (rows: unknown[][]) => eventsOf(fromStart ? rows : rows.reverse());
    if (types) return inOrder(await run(ofTypes(order), [keyHash, seen, limit, arrayLiteral(types)]));
    const events =
      limit === null
        ? eventsOf(await run(all, [keyHash, seen]))
        : inOrder(await run(some(order), [keyHash, seen, limit]));
    refuseGap(events, fromStart || events.length < most ? seen : undefined);
    return events;
  };

  function eventsOf(rows: unknown[][]): StoredEvent[] {
    return rows.map(([seq, text]) => storedEvent(Number(seq), text, location));
  }

  /** @param before the number before the first event; not checked if older events were left out */
  function refuseGap(events: readonly StoredEvent[], before = (events[0]?.seq ?? 1) - 1): void {
    const gap = events.findIndex(({ seq }, index) => seq !== before + index + 1);
    if (gap >= 0) throw damaged(location, `event ${before + gap + 1} is missing`);
  }
}
