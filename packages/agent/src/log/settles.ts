import type { LogEvent } from "@cogency/protocol";

/**
 * Whether a stored event ends what stands on screens as being written: units, or the arguments of calls. The others, such as the
 * journal of a call that runs already, say nothing about it.
 */
export function settles(event: LogEvent): boolean {
  return event.type !== "record" || ends.has(event.kind);
}

/** A refused block, the ends of a step and of a run, and why it cannot go on. */
const ends: ReadonlySet<string> = new Set(["rejected", "usage", "run", "notice"]);
