import { checkOptions, type OptionTable } from "@cogency/protocol/options";
import type { WorkerEvent } from "@cogency/worker";
import type { Meter } from "@opentelemetry/api";
import { globalMeter, ofMeter } from "./library.ts";

export interface WorkerMeasureOptions {
  /** Makes the instruments. Defaults to a meter of the global provider. */
  meter?: Meter | undefined;
}

/**
 * Measures a worker: `createWorker({ agent, store, on: measureWorker() })`.
 *
 * @returns the listener of the worker
 */
export function measureWorker(options: WorkerMeasureOptions = {}): (event: WorkerEvent) => void {
  checkOptions("measureWorker", options, { meter: ofMeter } satisfies OptionTable<WorkerMeasureOptions>);
  const { meter = globalMeter() } = options;
  const claims = meter.createCounter("cogency.worker.claims", {
    description: "Conversations that the worker claimed, by attempt",
    unit: "{conversation}",
  });
  const takeovers = meter.createCounter("cogency.worker.takeovers", {
    description: "Claims of conversations whose run or worker was lost",
    unit: "{conversation}",
  });
  const attended = meter.createCounter("cogency.worker.attended", {
    description: "Conversations that the worker looked after, by what became of them",
    unit: "{conversation}",
  });
  const lost = meter.createCounter("cogency.worker.lost", {
    description: "Conversations that another worker took meanwhile",
    unit: "{conversation}",
  });
  const parked = meter.createCounter("cogency.worker.parked", {
    description: "Conversations that the worker parked",
    unit: "{conversation}",
  });
  const troubles = meter.createCounter("cogency.worker.troubles", {
    description: "Failures of the store or the dispatcher",
    unit: "{failure}",
  });
  return (event) => {
    switch (event.type) {
      case "claimed": {
        const { attempts, reasons } = event.claim;
        claims.add(1, { "cogency.claim.attempts": attempts });
        if (attempts > 1 || reasons.includes("lease")) takeovers.add(1);
        return;
      }
      case "attended": {
        const { verdict, stood } = event;
        attended.add(1, {
          "cogency.verdict": verdict.type,
          ...("why" in verdict && { "cogency.verdict.why": verdict.why }),
        });
        if (!stood) lost.add(1);
        return;
      }
      case "parked":
        parked.add(1);
        return;
      case "trouble":
        troubles.add(1, { "cogency.trouble.doing": event.doing });
    }
  };
}
