import type { LogEvent } from "@cogency/protocol";
import { fold } from "./fold.ts";
import { passagesOf } from "./passages.ts";
import { tokensOf } from "./words.ts";

/** How many UTF-16 units of a passage are searched. */
export const searchedLength = 100_000;

/**
 * The words of an event for a full-text index, in order: letters and digits only, without case and accents. Empty for
 * an event that is not searched (see `passageTypes`).
 */
export function searchTokens(event: LogEvent): string[] {
  return passagesOf(event).flatMap(({ text }) => tokensOf(fold(text.slice(0, searchedLength))));
}
