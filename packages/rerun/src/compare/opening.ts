import type { StoredEvent } from "@cogency/storage";

/**
 * Whether an event between the words of a person and the first step belongs to the beginning of the turn. The rest is of the run that
 * was recorded: what it took from its inbox, asked and used.
 */
export function isOfOpening(event: StoredEvent): boolean {
  if (event.type === "user") return event.origin !== "nudge" && event.origin !== "recovery";
  return event.type === "record" && kinds.has(event.kind);
}

const kinds: ReadonlySet<string> = new Set(["content", "client_tools", "object", "tools_found", "source_tools"]);
