import type { StoredEvent } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import { eventChecksum } from "./checksum.ts";
import { conversationAt, seqAt } from "./event-place.ts";

/** What statements that read single events select. */
export const eventColumns = `
  ${conversationAt("place")} AS conversation, ${seqAt("place")} AS seq, type, event, events.checksum AS checksum,
  (SELECT earlier.checksum FROM events AS earlier WHERE earlier.place = events.place - 1) AS before`;

/**
 * The event that a row of these columns holds.
 *
 * @throws StoreError `corrupt` unless it is the one that was stored at that place
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

/** @throws StoreError `corrupt` for a text that is no event: a migration takes over what an old version wrote */
export function parseEvent(text: string, seq: number, path: string): StoredEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the cause: its message quotes the text.
    throw damaged(path, `event ${seq} is not JSON`);
  }
  if (!isEvent(value)) throw damaged(path, `event ${seq} is JSON, but not an event`);
  // The object is new, and no event that is stored has a number of its own.
  value.seq = seq;
  return value;
}

/** By its shape only: what an event may hold was checked when it was stored. */
function isEvent(value: unknown): value is StoredEvent {
  return typeof value === "object" && value !== null && "type" in value;
}
