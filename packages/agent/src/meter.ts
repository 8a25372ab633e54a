import type { Measure, MetricEvent, Usage } from "@cogency/protocol";
import { sumUsage, zeroUsage } from "@cogency/provider";

/** Adds up what the steps of a run use. */
export interface Meter {
  readonly total: Usage;
  /** Steps begun. */
  readonly steps: number;
  /** A step has begun and not ended. */
  readonly isRunning: boolean;
  /** Begin a step. */
  start(): void;
  /** End it with what the model reported. */
  stop(usage: Usage): MetricEvent;
}

export function createMeter(clock: () => number): Meter {
  let total: Measure = { ...zeroUsage, duration: 0 };
  let steps = 0;
  let startedAt = clock();
  let isRunning = false;
  return {
    get isRunning() {
      return isRunning;
    },
    get steps() {
      return steps;
    },
    get total() {
      const { duration: _, ...usage } = total;
      return usage;
    },
    start() {
      steps++;
      isRunning = true;
      startedAt = clock();
    },
    stop(reportedUsage) {
      isRunning = false;
      const timestamp = clock();
      const usage = sound(reportedUsage);
      const step: Measure = { ...usage, duration: Math.max(0, timestamp - startedAt) };
      total = { ...sumUsage(total, usage), duration: total.duration + step.duration };
      return { type: "metric", step, total, timestamp };
    },
  };
}

/** A provider that reports what is no number must not damage the log; what it meant is unknown. */
function sound(usage: Usage): Usage {
  const { estimated, ...counts } = usage;
  const isSound = Object.values(counts).every((count) => Number.isFinite(count) && count >= 0);
  return isSound ? usage : { ...zeroUsage, estimated: true };
}
