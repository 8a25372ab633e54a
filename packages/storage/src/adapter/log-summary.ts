import type { LogEvent } from "@cogency/protocol";
import type { ConversationSummary } from "../store.ts";
import { titleOf } from "./title.ts";

/** What a list of conversations says about one log. An adapter keeps it beside the log, so that listing reads no events. */
export type LogSummary = Omit<ConversationSummary, "conversation" | "user">;

/** The summary of a log after a batch was appended; `before` is the one it had, `undefined` for a new log. */
export function extendSummary(before: LogSummary | undefined, events: readonly LogEvent[]): LogSummary {
  const first = events[0]?.timestamp ?? 0;
  const summary = { title: "", events: 0, createdAt: first, updatedAt: first, ...before };
  for (const event of events) {
    summary.title ||= titleOf(event);
    summary.events += 1;
    summary.updatedAt = event.timestamp;
  }
  return summary;
}
