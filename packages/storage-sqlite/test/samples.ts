import type { LogEvent } from "@cogency/protocol";

/** Something a person said; the text tells one event from another. */
export function said(content: string): LogEvent {
  return { type: "user", content, timestamp: 1_700_000_000.5 };
}

/** A batch of three whose events name it. */
export function batchOf(name: string): LogEvent[] {
  return ["first", "second", "third"].map((place) => said(`${name}: ${place}`));
}

export function contentsOf(events: readonly Partial<LogEvent>[]): string[] {
  return events.map((event) => ("content" in event ? String(event.content) : ""));
}
