import type { LogEvent } from "@cogency/protocol";

/** A message of a person. */
export function said(content: string): LogEvent {
  return { type: "user", content, timestamp: 1_700_000_000.5 };
}

/** A batch of three events whose texts name it. */
export function batchOf(name: string): LogEvent[] {
  return ["first", "second", "third"].map((place) => said(`${name}: ${place}`));
}

export function contentsOf(events: readonly Partial<LogEvent>[]): string[] {
  return events.map((event) => ("content" in event ? String(event.content) : ""));
}
