import type { LogEvent } from "@cogency/protocol";
import { type StoredEvent, StoreError } from "@cogency/storage";

/** A row of the table as an event. */
export function storedEvent(seq: number, text: unknown, place: string): StoredEvent {
  let event: unknown;
  try {
    event = JSON.parse(String(text));
  } catch {
    // Without the cause: its message quotes the text.
    throw damaged(place, `event ${seq} is not JSON`);
  }
  if (!isEvent(event)) throw damaged(place, `event ${seq} is JSON, but not an event`);
  return Object.assign(event, { seq });
}

export function damaged(place: string, problem: string): StoreError {
  return new StoreError("corrupt", `${place} is damaged: ${problem}. Restore a backup.`);
}

/** By its shape only: what an event may hold was checked when it was stored. */
function isEvent(value: unknown): value is LogEvent {
  return typeof value === "object" && value !== null && "type" in value;
}
