import type { LogEvent } from "@cogency/protocol";

/** Events like those of a conversation, with a few hundred bytes of JSON each. */
export function eventOf(index: number): LogEvent {
  return { type: "respond", content: `${index}: ${"The quick brown fox. ".repeat(15)}`, timestamp: 1_700_000_000.5 };
}

export function eventsOf(count: number): LogEvent[] {
  return Array.from({ length: count }, (_, index) => eventOf(index));
}
