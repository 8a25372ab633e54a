import type { Measure, MetricEvent, Usage } from "@cogency/protocol";
import { costOf, type Price, sumUsage, zeroUsage } from "@cogency/provider";

/** Adds up what the steps of a run use. */
export class Meter {
  /** Steps begun. */
  steps = 0;
  /** Calls that have a result. */
  toolCalls = 0;
  /** Whether a step has begun and not ended. */
  isRunning = false;
  readonly #clock: () => number;
  #price: Price | undefined;
  #total: Measure;
  #startedAt: number;

  /** @param price the price of the model; without it no cost is counted */
  constructor(clock: () => number, price?: Price) {
    this.#clock = clock;
    this.#price = price;
    this.#total = { ...zeroUsage, duration: 0, ...(price && { cost: 0 }) };
    this.#startedAt = clock();
  }

  /** The price of the model that is asked from now on. Once a request is counted without one, the cost of the run is unknown. */
  set price(price: Price | undefined) {
    this.#price = price;
  }

  get price(): Price | undefined {
    return this.#price;
  }

  get total(): Usage {
    const { duration: _, cost: __, ...usage } = this.#total;
    return usage;
  }

  /** The tokens of all requests and answers. */
  get tokens(): number {
    return tokensOf(this.#total);
  }

  /** In the currency of the prices; undefined if the price of a model is unknown. */
  get cost(): number | undefined {
    return this.#total.cost;
  }

  /** The totals of the run so far. */
  get tally(): Tally {
    const { duration: _, cost, ...usage } = this.#total;
    return { steps: this.steps, usage, ...(cost !== undefined && { cost }) };
  }

  /** Begins a step, or asks again in the last one. */
  start(isRepeat = false): void {
    if (!isRepeat) this.steps++;
    this.isRunning = true;
    this.#startedAt = this.#clock();
  }

  /** Ends the step with the usage that the model reported. */
  stop(reportedUsage: Usage): MetricEvent {
    this.isRunning = false;
    const timestamp = this.#clock();
    const step = this.#count(reportedUsage, Math.max(0, timestamp - this.#startedAt), this.#price);
    return { type: "metric", step, total: this.#total, timestamp };
  }

  /**
   * Counts a request that is no step.
   *
   * @param duration seconds
   * @param other the price of another model; without a price the cost of the run is unknown from then on
   */
  add(reportedUsage: Usage, duration: number, other?: { price: Price | undefined }): Measure {
    return this.#count(reportedUsage, duration, other ? other.price : this.#price);
  }

  #count(reportedUsage: Usage, duration: number, price: Price | undefined): Measure {
    const usage = sound(reportedUsage);
    const cost = price && costOf(usage, price);
    const step: Measure = { ...usage, duration, ...(cost !== undefined && { cost }) };
    const total = this.#total;
    this.#total = {
      ...sumUsage(total, usage),
      duration: total.duration + duration,
      ...(cost !== undefined && total.cost !== undefined && { cost: total.cost + cost }),
    };
    return step;
  }
}

export interface Tally {
  steps: number;
  usage: Usage;
  /** In the currency of the prices; absent if the price of the model is unknown. */
  cost?: number;
}

/** The tokens of a request and its answer. Reasoning is part of the output. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

/** Replaces usage that is not made of numbers ≥ 0 by an unknown one, so that it cannot damage the log. */
export function sound(usage: Usage): Usage {
  const { estimated, ...counts } = usage;
  const isSound = Object.values(counts).every((count) => Number.isFinite(count) && count >= 0);
  return isSound ? usage : { ...zeroUsage, estimated: true };
}
