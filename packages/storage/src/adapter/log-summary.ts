import type { LogEvent } from "@cogency/protocol";
import type { ConversationSummary } from "../store.ts";
import { titleOf } from "./title.ts";

/**
 * The part of a conversation's summary that comes from its log. An adapter that keeps it beside the log can list
 * conversations without reading events.
 */
export type LogSummary = Omit<ConversationSummary, "conversation" | "user">;

/**
 * Returns the summary of a log after a batch was appended. `before` is the earlier summary; `undefined` for a new log.
 */
export function extendSummary(before: LogSummary | undefined, events: readonly LogEvent[]): LogSummary {
  const first = events[0]?.timestamp ?? 0;
  const summary = { title: "", events: 0, createdAt: first, updatedAt: first, ...before };
  const { title, isGiven } = titleOf(events);
  if (isGiven || summary.title === "") summary.title = title;
  summary.events += events.length;
  summary.updatedAt = events.at(-1)?.timestamp ?? summary.updatedAt;
  return summary;
}
