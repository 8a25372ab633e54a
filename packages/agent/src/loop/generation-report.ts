import type { FinishReason, RecordEvent, Usage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import type { StepEvent } from "../drivers/driver.ts";

/** What a driver reports about a generation, beside its text and calls. */
export interface Report {
  usage: Usage;
  finish: FinishReason;
  /** Native blocks that came after `execute`; not stored yet. */
  records: RecordEvent[];
}

/** The report of a generation that has reported nothing. */
export function noReport(): Report {
  return { usage: { ...zeroUsage, estimated: true }, finish: "other", records: [] };
}

/** Adds an event to the report, if it is a part of one. */
export function addToReport(report: Report, event: StepEvent): void {
  if (event.type === "usage") report.usage = event.usage;
  else if (event.type === "finish") report.finish = event.reason;
  else if (event.type === "record") report.records.push(event);
}

/** Reads the rest of a generation, after `execute`, into the report. Never rejects. */
export async function readReport(generation: AsyncIterator<StepEvent>, report: Report): Promise<void> {
  try {
    for (let next = await generation.next(); !next.done; next = await generation.next())
      addToReport(report, next.value);
  } catch {
    // The batch is complete: a connection that fails now costs nothing but the exact usage.
  }
}
