import type { LogEvent } from "@cogency/protocol";

const maxLength = 80;

/**
 * The title that an event gives its conversation: the start of the person's message, at most 80 code points on one
 * line. Empty for all other events. The first event with a title names the conversation.
 */
export function titleOf(event: LogEvent): string {
  if (event.type !== "user" || event.origin !== undefined) return "";
  const line = event.content.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  // A code point has at most two code units. Cutting first avoids splitting a large paste into characters.
  return Array.from(line.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join("")
    .trimEnd();
}
