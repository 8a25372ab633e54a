import type { InboxMessage, StoredMessage } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { rowChecksum } from "../rows/checksum.ts";
import { seqAt } from "../rows/event-place.ts";

/** The columns that `storedMessage` needs. */
export const messageColumns = `
  messages.key AS key, ${seqAt("place")} AS seq, messages.id AS id, message, posted_at AS postedAt, at,
  messages.checksum AS checksum`;

/** Whether a message is in the inbox: at once, unless it was posted for a later time. */
export const hasCome = "(at IS NULL OR at <= $now)";

/** The checksum of a row in `messages`. */
export function messageChecksum(
  key: number,
  seq: number,
  id: string,
  message: string,
  postedAt: number,
  at: number | null,
): number {
  return rowChecksum(key, seq, id, message, postedAt, at ?? "");
}

/**
 * Reads the message of a row with `messageColumns`.
 *
 * @throws StoreError `corrupt` if it is not the message that was stored with this number
 */
export function storedMessage(row: Record<string, unknown>, path: string): StoredMessage {
  const [key, seq, postedAt] = [Number(row.key), Number(row.seq), Number(row.postedAt)];
  const at = row.at === null ? null : Number(row.at);
  const [id, message] = [String(row.id), String(row.message)];
  if (messageChecksum(key, seq, id, message, postedAt, at) !== row.checksum) {
    throw damaged(path, `message ${seq} of an inbox is not what was stored (its checksum differs)`);
  }
  return { id: JSON.parse(id) as string, message: JSON.parse(message) as InboxMessage, postedAt, at: at ?? postedAt };
}

/** Every id under which a message was posted, also after the message was taken. Must be called inside a transaction. */
export interface MessageIds {
  /** @throws StoreError `corrupt` if the row is damaged */
  find(key: number, id: string): { hash: string; seq: number | null } | undefined;
  add(key: number, id: string, hash: string, seq: number): void;
  /** From now on the message is known by its id and its hash only. */
  setTaken(key: number, id: string): void;
}

/** An `id` is JSON text. */
export function prepareMessageIds({ sqlite, path }: Database): MessageIds {
  const find = sqlite.prepare("SELECT hash, seq, checksum FROM message_ids WHERE key = ? AND id = ?");
  const add = sqlite.prepare("INSERT INTO message_ids (key, id, hash, seq, checksum) VALUES (?, ?, ?, ?, ?)");
  const setTaken = sqlite.prepare("UPDATE message_ids SET seq = NULL WHERE key = ? AND id = ?");

  return {
    find(key, id) {
      const row = find.get(key, id);
      if (!row) return undefined;
      const hash = String(row.hash);
      if (rowChecksum(key, id, hash) !== row.checksum) {
        throw damaged(path, "the id of a message is not what was stored (its checksum differs)");
      }
      return { hash, seq: row.seq === null ? null : Number(row.seq) };
    },
    add: (key, id, hash, seq) => void add.run(key, id, hash, seq, rowChecksum(key, id, hash)),
    setTaken: (key, id) => void setTaken.run(key, id),
  };
}
