import type { LogEvent, RunEvent } from "@cogency/protocol";
import { type Part, type Parts, partsOf, reduceParts } from "@cogency/protocol/parts";
import { redactionMark } from "@cogency/storage";

/**
 * Where a screen that watched a run differs from one that read its log; empty if it does not. Compares settled parts, without
 * what exists only live (protocol/docs/parts.md).
 *
 * @param before the log when the run began
 * @param after the log when it had ended
 */
export function partsFaults(
  before: readonly LogEvent[],
  heard: readonly RunEvent[],
  after: readonly LogEvent[],
): string[] {
  // A redacting store keeps other texts than were shown.
  if (JSON.stringify(after).includes(redactionMark)) return [];
  const live = linesOf(heard.reduce<Parts>(reduceParts, partsOf(before)));
  const stored = linesOf(partsOf(after));
  const at = Array.from({ length: Math.max(live.length, stored.length) }, (_, i) => i).find(
    (i) => live[i] !== stored[i],
  );
  return at === undefined ? [] : [`Part ${at + 1} is ${live[at]} live, and ${stored[at]} from the log.`];
}

function linesOf(parts: Parts): string[] {
  return parts.filter(isInBoth).map((part) => JSON.stringify(sorted(part)));
}

function isInBoth(part: Part): boolean {
  if ("open" in part && part.open) return false;
  // Only the errors of refused blocks are in the log.
  if (part.type === "error")
    return !["provider_retry", "session_failed", "empty_turn", "repeated_batch"].includes(part.code);
  if (part.type === "end") return part.status === "completed" || part.status === "cancelled";
  return true;
}

/** With its fields in one order, and without those that are measured or differ. */
function sorted(part: Part): object {
  const { duration, progress, ...fields } = { duration: 0, progress: 0, ...withoutArgs(part) };
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    name === "outcome" && value !== "success" ? "failure" : value,
  ]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => String(one).localeCompare(String(other))));
}

/** A call that was cancelled between its `started` record and its body. */
function withoutArgs(part: Part): Part {
  if (part.type !== "call" || part.result?.status !== "failure") return part;
  const { args, ...fields } = part;
  return String(part.result.content).endsWith("was cancelled before it began.") ? fields : part;
}
