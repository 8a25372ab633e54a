import { MessageConflictError } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { eventPlace } from "../rows/event-place.ts";
import type { MessageIds } from "./message-ids.ts";
import { hasCome, messageColumns, storedMessage } from "./message-row.ts";

/**
 * Takes messages out of the inbox of a key, by their ids. Must be called inside the transaction that appends.
 *
 * @throws MessageConflictError for a message that is not in the inbox
 */
export type TakeMessages = (key: number | undefined, ids: readonly string[]) => void;

/** @param clock returns Unix time in milliseconds */
export function prepareTakeMessages({ sqlite, path }: Database, ids: MessageIds, clock: () => number): TakeMessages {
  const find = sqlite.prepare(`
    SELECT ${messageColumns}, ${hasCome} AS hasCome FROM messages WHERE place = ${eventPlace("$key", "$seq")}`);
  const remove = sqlite.prepare(`DELETE FROM messages WHERE place = ${eventPlace("?", "?")}`);

  return (key, taken) => {
    const now = clock();
    for (const id of taken) if (key === undefined || !take(key, id, now)) throw new MessageConflictError(id, "absent");
  };

  /** Returns whether the message was in the inbox. */
  function take(key: number, id: string, now: number): boolean {
    const text = JSON.stringify(id);
    const seq = ids.find(key, text)?.seq ?? null;
    if (seq === null) return false;
    const row = find.get({ key, seq, now });
    if (!row || storedMessage(row, path).id !== id) throw damaged(path, `message ${seq} of an inbox is missing`);
    if (row.hasCome !== 1) return false;
    remove.run(key, seq);
    ids.setTaken(key, text);
    return true;
  }
}
