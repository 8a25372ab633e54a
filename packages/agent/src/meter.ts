import type { Measure, MetricEvent, Usage } from "@cogency/protocol";
import { costOf, type Price, sumUsage, zeroUsage } from "@cogency/provider";

/** Adds up what the steps of a run use. */
export class Meter {
  /** Steps begun. */
  steps = 0;
  #toolCalls = 0;
  /** Whether a step has begun and not ended. */
  isRunning = false;
  readonly #clock: () => number;
  readonly #count = new TokenCount();
  readonly #above: Meter | undefined;
  #price: Price | undefined;
  #total: Measure;
  #startedAt: number;

  /**
   * @param price the price of the model; without it no cost is counted
   * @param above of the run that has started this one: what is used here counts there at the same moment
   */
  constructor(clock: () => number, price?: Price, above?: Meter) {
    this.#above = above;
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

  /** Calls that have a result, also those of runs below. */
  get toolCalls(): number {
    return this.#toolCalls;
  }

  countCalls(calls: number): void {
    this.#toolCalls += calls;
    this.#above?.countCalls(calls);
  }

  get total(): Usage {
    const { duration: _, cost: __, ...usage } = this.#total;
    return usage;
  }

  /** The tokens that count for a budget: see {@link TokenCount}. */
  get tokens(): number {
    return this.#count.total;
  }

  /** How many tokens of a request with so many of input would be new. */
  newIn(input: number): number {
    return this.#count.newIn(input);
  }

  /** The run begins in a conversation whose last request had so many tokens of input. */
  begin(lastInput: number): void {
    this.#count.begin(lastInput);
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

  /**
   * Ends the step with the usage that the model reported.
   *
   * @param inputs the tokens of input of each of its requests
   */
  stop(reportedUsage: Usage, inputs: readonly number[] = [inputOf(reportedUsage)]): MetricEvent {
    this.isRunning = false;
    const timestamp = this.#clock();
    const before = this.#count.total;
    this.#count.add(inputs, sound(reportedUsage).output);
    this.#above?.addBelow(reportedUsage, this.#count.total - before, this.#price);
    const step = this.#add(reportedUsage, Math.max(0, timestamp - this.#startedAt), this.#price);
    return { type: "metric", step, total: this.#total, timestamp };
  }

  /**
   * Counts a request that is no step.
   *
   * @param duration seconds
   * @param other the price of another model; without a price the cost of the run is unknown from then on
   */
  add(reportedUsage: Usage, duration: number, other?: { price: Price | undefined }): Measure {
    const usage = sound(reportedUsage);
    const price = other ? other.price : this.#price;
    this.#count.addOther(tokensOf(usage));
    this.#above?.addBelow(usage, tokensOf(usage), price);
    return this.#add(usage, duration, price);
  }

  /** Counts a request of a run below, which is no step of this one, and whose time passes within a step of this one. */
  addBelow(usage: Usage, tokens: number, price: Price | undefined): void {
    this.#count.addOther(tokens);
    this.#add(usage, 0, price);
    this.#above?.addBelow(usage, tokens, price);
  }

  #add(reportedUsage: Usage, duration: number, price: Price | undefined): Measure {
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

/**
 * Counts tokens of requests that follow one another. Each request holds what the one before it held: of its input, only the tokens
 * count that the request before had not, so what is sent again counts once, whether a cache has it or not. Output counts whole.
 */
export class TokenCount {
  #total = 0;
  #lastInput = 0;

  get total(): number {
    return this.#total;
  }

  get lastInput(): number {
    return this.#lastInput;
  }

  /** What was sent before counts no more. */
  begin(lastInput: number): void {
    this.#lastInput = lastInput;
  }

  newIn(input: number): number {
    return Math.max(0, input - this.#lastInput);
  }

  /** @param inputs the tokens of input of each request; one whose provider counted none says nothing about the next one */
  add(inputs: readonly number[], output: number): void {
    for (const input of inputs) {
      this.#total += this.newIn(input);
      if (input > 0) this.#lastInput = input;
    }
    this.#total += output;
  }

  /** A request that holds something else than those before and after it. */
  addOther(tokens: number): void {
    this.#total += tokens;
  }
}

/** The tokens of the input of a request, cached or not; 0 for usage that is not sound. */
export function inputOf(usage: Usage): number {
  const { input, cacheRead, cacheWrite } = sound(usage);
  return input + cacheRead + cacheWrite;
}

/** The tokens of a request and its answer. Reasoning is part of the output. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

/** Replaces usage that is not made of numbers from 0 to 10^12 by an unknown one, so that it cannot damage the log. */
export function sound(usage: Usage): Usage {
  return isSound(usage) ? usage : { ...zeroUsage, estimated: true };
}

/**
 * Whether a provider has counted the tokens of a request. Some servers report no input, zeros or nonsense: with these, no limit of
 * tokens or cost would ever be reached.
 */
export function isCounted(usage: Usage): boolean {
  return isSound(usage) && inputOf(usage) > 0;
}

function isSound({ input, output, cacheRead, cacheWrite, reasoning }: Usage): boolean {
  const counts: readonly unknown[] = [input, output, cacheRead, cacheWrite, reasoning];
  return counts.every((count) => typeof count === "number" && count >= 0 && count <= mostTokens);
}

/** More than any request has. */
const mostTokens = 1e12;
