import type { LogEvent } from "@cogency/protocol";

const maxLength = 80;

/**
 * The title an event gives its conversation: the start of what the person said, at most 80 code points on one line.
 * Empty for whatever else, so that the first event with a title gives the conversation its own.
 */
export function titleOf(event: LogEvent): string {
  if (event.type !== "user" || event.origin !== undefined) return "";
  const line = event.content.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  // A code point is at most two code units: cutting first keeps a large paste from being spread.
  return Array.from(line.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join("")
    .trimEnd();
}
