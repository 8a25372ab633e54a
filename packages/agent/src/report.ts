import type { FinishReason, Usage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import type { StepEvent } from "./driver.ts";

/** What a generation tells about itself. */
export interface Report {
  usage: Usage;
  finish: FinishReason;
}

/** The report with what the event adds to it. */
export function reported(report: Report, event: StepEvent): Report {
  if (event.type === "usage") return { ...report, usage: event.usage };
  if (event.type === "finish") return { ...report, finish: event.reason };
  return report;
}

/** After `execute` the generation has only its report to give, while the batch runs. */
export async function remaining(generation: AsyncIterator<StepEvent>, report: Report): Promise<Report> {
  let last = report;
  try {
    for (;;) {
      const next = await generation.next();
      if (next.done) return last;
      last = reported(last, next.value);
    }
  } catch {
    // The batch is complete: a connection that fails now costs nothing but the exact usage.
    return last;
  }
}

/** What is known of a generation that told nothing. */
export const noReport: Report = { usage: { ...zeroUsage, estimated: true }, finish: "other" };
