import type { LogEvent } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";

/** A message of a person. */
export function said(content: string): LogEvent {
  return { type: "user", content, timestamp: 1_700_000_000.5 };
}

/** The texts of events, in order. */
export function contents(events: readonly Partial<StoredEvent>[]): string[] {
  return events.map((event) => ("content" in event ? String(event.content) : ""));
}

/** 1, 2, 3… up to `last`. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
