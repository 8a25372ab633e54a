import type { LogEvent } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";

/**
 * Reads the event of a row.
 *
 * @throws StoreError `corrupt` for a text that is no event
 */
export function storedEvent(seq: number, text: unknown, location: string): StoredEvent {
  let event: unknown;
  try {
    event = JSON.parse(String(text));
  } catch {
    // No `cause`: its message would quote the text.
    throw damaged(location, `event ${seq} is not JSON`);
  }
  if (!isEvent(event)) throw damaged(location, `event ${seq} is JSON, but not an event`);
  return Object.assign(event, { seq });
}

/** Checks the shape only: the content of an event was checked when it was stored. */
function isEvent(value: unknown): value is LogEvent {
  return typeof value === "object" && value !== null && "type" in value;
}
