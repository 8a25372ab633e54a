import type { LogEvent } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";

/** A row of the table as an event. */
export function storedEvent(seq: number, text: unknown, location: string): StoredEvent {
  let event: unknown;
  try {
    event = JSON.parse(String(text));
  } catch {
    // Without the cause: its message quotes the text.
    throw damaged(location, `event ${seq} is not JSON`);
  }
  if (!isEvent(event)) throw damaged(location, `event ${seq} is JSON, but not an event`);
  return Object.assign(event, { seq });
}

/** By its shape only: what an event may hold was checked when it was stored. */
function isEvent(value: unknown): value is LogEvent {
  return typeof value === "object" && value !== null && "type" in value;
}
