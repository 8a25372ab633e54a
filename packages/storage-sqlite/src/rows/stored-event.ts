import type { StoredEvent } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import { eventChecksum } from "./checksum.ts";
import { conversationAt, seqAt } from "./event-place.ts";

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
export function parseEvent(text: string, seq: number, path: string): StoredEvent {
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
