import type { RunTotals } from "./run.ts";
import type { RunContext } from "./run-context.ts";

/** The totals of a run so far. */
export function progressOf(context: RunContext): RunTotals {
  const { lastText, meter, toolErrors, unknown, questionErrors, metadata } = context;
  return {
    text: lastText,
    ...meter.tally,
    toolErrors,
    ...(unknown.size > 0 && { unknown: [...unknown.values()] }),
    ...(questionErrors.length > 0 && { questionErrors: [...questionErrors] }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
