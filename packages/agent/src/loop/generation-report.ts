import type { FinishReason, RecordEvent, Usage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import type { StepEvent } from "../drivers/driver.ts";

/** What a generation tells about itself. */
export interface Report {
  usage: Usage;
  finish: FinishReason;
  /** The provider's own blocks that came after `execute`; not stored yet. */
  records: RecordEvent[];
}

/** What is known of a generation that told nothing. */
export function noReport(): Report {
  return { usage: { ...zeroUsage, estimated: true }, finish: "other", records: [] };
}

/** Adds to the report what the event tells of it. */
export function addToReport(report: Report, event: StepEvent): void {
  if (event.type === "usage") report.usage = event.usage;
  else if (event.type === "finish") report.finish = event.reason;
  else if (event.type === "record") report.records.push(event);
}

/** After `execute` the generation has only its report to give, while the batch runs. Never rejects. */
export async function readReport(generation: AsyncIterator<StepEvent>, report: Report): Promise<void> {
  try {
    for (let next = await generation.next(); !next.done; next = await generation.next())
      addToReport(report, next.value);
  } catch {
    // The batch is complete: a connection that fails now costs nothing but the exact usage.
  }
}
