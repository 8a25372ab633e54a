import type { LogEvent, ToolResult, UserEvent } from "@cogency/protocol";
import { firstShown } from "../history/history.ts";
import type { RunContext } from "../run-context.ts";

/** What follows a `result` event whose results name tools that the model does not know. */
export interface FoundTools {
  /** Stored in the append of the result, right after it: so no crash loses it, or makes it twice. */
  readonly stored: readonly LogEvent[];
  /** What the consumer gets of it. */
  readonly given: readonly UserEvent[];
}

/** @param log what was stored before the result */
export function foundTools(
  { settings: { finder, clock, history } }: RunContext,
  log: readonly LogEvent[],
  results: readonly ToolResult[],
): FoundTools {
  const stored = finder?.announce(log, results, clock(), firstShown(history, log)) ?? [];
  return { stored, given: stored.slice(0, 1) as UserEvent[] };
}

/** Called when it is stored. */
export function tellFound({ timeline }: RunContext, { given }: FoundTools): void {
  for (const { content } of given) timeline.tell(() => ({ type: "notified", content }));
}
