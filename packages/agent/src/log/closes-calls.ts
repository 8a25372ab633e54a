import type { LogEvent } from "@cogency/protocol";

/** Whether no call that stands before this event in a log is open; see `toMessages`. */
export function closesCalls(event: LogEvent): boolean {
  return event.type === "record" ? event.kind === "rejected" : closingTypes.has(event.type);
}

const closingTypes: ReadonlySet<string> = new Set<LogEvent["type"]>(["user", "result", "cancelled"]);
