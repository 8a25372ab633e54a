import type { Measure, MetricEvent, Usage } from "@cogency/protocol";
import { costOf, type Price, sumUsage, zeroUsage } from "@cogency/provider";

/** Adds up what the steps of a run use. */
export interface Meter {
  readonly total: Usage;
  /** What the run has come to. */
  readonly tally: Tally;
  /** Steps begun. */
  readonly steps: number;
  /** A step has begun and not ended. */
  readonly isRunning: boolean;
  /** Begin a step. */
  start(): void;
  /** End it with what the model reported. */
  stop(usage: Usage): MetricEvent;
}

export interface Tally {
  steps: number;
  usage: Usage;
  /** In the currency of the prices; absent when the model's is unknown. */
  cost?: number;
}

/** @param price of the model that all steps ask; without it no cost is told */
export function createMeter(clock: () => number, price?: Price): Meter {
  let total: Measure = { ...zeroUsage, duration: 0, ...(price && { cost: 0 }) };
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
      const { duration: _, cost: __, ...usage } = total;
      return usage;
    },
    get tally() {
      const { duration: _, cost, ...usage } = total;
      return { steps, usage, ...(cost !== undefined && { cost }) };
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
      const duration = Math.max(0, timestamp - startedAt);
      const cost = price && costOf(usage, price);
      const step: Measure = { ...usage, duration, ...(cost !== undefined && { cost }) };
      total = {
        ...sumUsage(total, usage),
        duration: total.duration + duration,
        ...(cost !== undefined && { cost: (total.cost ?? 0) + cost }),
      };
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
