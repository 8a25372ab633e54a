import type { InboxMessage, StoredMessage } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
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
