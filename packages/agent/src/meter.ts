import type { Measure, MetricEvent, Usage } from "@cogency/protocol";
import { costOf, type Price, sumUsage, zeroUsage } from "@cogency/provider";

/** Adds up what the steps of a run use. */
export interface Meter {
  readonly total: Usage;
  /** The totals of the run so far. */
  readonly tally: Tally;
  /** Steps begun. */
  readonly steps: number;
  /** Whether a step has begun and not ended. */
  readonly isRunning: boolean;
  /** Begins a step. */
  start(): void;
  /** Ends the step with the usage that the model reported. */
  stop(usage: Usage): MetricEvent;
}

export interface Tally {
  steps: number;
  usage: Usage;
  /** In the currency of the prices; absent if the price of the model is unknown. */
  cost?: number;
}

/** @param price the price of the model; without it no cost is counted */
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

/** Replaces usage that is not made of numbers ≥ 0 by an unknown one, so that it cannot damage the log. */
function sound(usage: Usage): Usage {
  const { estimated, ...counts } = usage;
  const isSound = Object.values(counts).every((count) => Number.isFinite(count) && count >= 0);
  return isSound ? usage : { ...zeroUsage, estimated: true };
}
