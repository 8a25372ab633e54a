import type { Measure, MetricEvent, Usage } from "@cogency/protocol";
import { sumUsage, zeroUsage } from "@cogency/provider";

/** Adds up what the steps of a run use. */
export interface Meter {
  readonly total: Usage;
  /** Steps begun. */
  readonly steps: number;
  /** Begin a step. */
  start(): void;
  /** End it with what the model reported. */
  stop(usage: Usage): MetricEvent;
}

export function createMeter(clock: () => number): Meter {
  let total: Measure = { ...zeroUsage, duration: 0 };
  let steps = 0;
  let startedAt = clock();
  return {
    get steps() {
      return steps;
    },
    get total() {
      const { duration: _, ...usage } = total;
      return usage;
    },
    start() {
      steps++;
      startedAt = clock();
    },
    stop(usage) {
      const timestamp = clock();
      const step: Measure = { ...usage, duration: Math.max(0, timestamp - startedAt) };
      total = { ...sumUsage(total, usage), duration: total.duration + step.duration };
      return { type: "metric", step, total, timestamp };
    },
  };
}
