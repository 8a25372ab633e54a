import type { JsonObject, LogEvent, Usage } from "@cogency/protocol";
import { costOf, type Price, zeroUsage } from "@cogency/provider";
import { type StopReason, type StopSignal, strongestStop } from "@cogency/tools/host";
import { inputOf, type Meter, TokenCount, tokensOf } from "../meter.ts";
import type { Amounts, RunLimits } from "../settings.ts";

type Counted = keyof Amounts;

/** One limit of a run or of its conversation. */
interface Limit {
  readonly of: "run" | "conversation";
  readonly counts: Counted;
  readonly most: number;
  /** The option that sets it. */
  readonly option: string;
  /** Whether the host named it. */
  readonly isGiven: boolean;
  /** Whether the model was told that it is low. */
  isTold: boolean;
}

/** What one request may use at most. */
export interface Need {
  tokens: number;
  /** Undefined if the price of the model is unknown. */
  cost: number | undefined;
}

/**
 * What is left of the budget of a run and of its conversation. The meter counts what is used; the ledger knows the limits, and what
 * requests that run have reserved, so that work that shares it cannot spend the same tokens twice.
 */
export class Ledger {
  readonly #meter: Meter;
  #limits: readonly Limit[];
  /** What the conversation had used before the run. */
  #before: Record<Counted, number> = { steps: 0, tokens: 0, cost: 0, toolCalls: 0 };
  readonly #reserved: Record<Counted, number> = { steps: 0, tokens: 0, cost: 0, toolCalls: 0 };

  constructor(limits: RunLimits, meter: Meter) {
    this.#meter = meter;
    this.#limits = limitsOf(limits, meter.price);
  }

  /** Counts what the conversation has used by its log. `price` is that of usage whose cost was not stored. */
  begin(stored: readonly LogEvent[], price: Price | undefined): void {
    const { lastInput, ...used } = usedIn(stored, price);
    this.#meter.begin(lastInput);
    this.#before = used;
  }

  /** Other limits hold from now on. */
  change(limits: RunLimits): void {
    this.#limits = limitsOf(limits, this.#meter.price);
  }

  /** Whether requests are limited by what they use, so that their size matters. */
  get isMeasuring(): boolean {
    return this.#limits.some((limit) => limit.counts === "tokens" || (limit.counts === "cost" && !this.#isOff(limit)));
  }

  /**
   * Why no step may follow, whatever its request holds; undefined if one may. Of several reasons it is the strongest one (see
   * `strongestStop`).
   *
   * @param need what any request may use
   * @param isWithinStep whether it is asked for a further request of a step that counts already
   */
  stopBefore(need: Need, isWithinStep = false): StopSignal | undefined {
    const isFree = ({ counts }: Limit) => counts === "toolCalls" || (isWithinStep && counts === "steps");
    const stops = this.#limits.map((limit) => (isFree(limit) ? undefined : this.#stopAt(limit, need)));
    return strongestStop(stops.filter((stop) => stop !== undefined));
  }

  /**
   * Reserves what a step's first request may use, or says why it may not be made.
   *
   * @param isRepeat whether the step counts already: its first request failed
   */
  reserve(need: Need, isRepeat = false): Reservation | StopSignal {
    const stopBefore = (next: Need, isWithinStep?: boolean) => this.stopBefore(next, isRepeat || isWithinStep);
    const reservation = new Reservation(this.#reserved, stopBefore);
    return reservation.extend({ tokens: 0, cost: 0 }, need) ?? reservation;
  }

  /** How many calls the next batch may hold. */
  get callsLeft(): number {
    return Math.min(...this.#limitsOfCalls().map((limit) => limit.most - this.#used(limit)));
  }

  /** Why the run ends where the model calls tools and no call is left. */
  get stopOfCalls(): StopSignal | undefined {
    const limit = this.#limitsOfCalls().find((limit) => this.#used(limit) >= limit.most);
    return limit && this.#signal(limit, 1);
  }

  /** What the model is to know: the limits that are low since the last call. Each is told once. */
  takeLow(): string[] {
    const low = this.#limits.filter((limit) => !limit.isTold && this.#isLow(limit));
    for (const limit of low) limit.isTold = true;
    return low.map((limit) => {
      const { of, counts, most } = limit;
      return lowNotice(of, most - this.#used(limit), most, told[counts].unit);
    });
  }

  #isLow(limit: Limit): boolean {
    const { counts, most } = limit;
    if (this.#isOff(limit)) return false;
    const used = this.#used(limit);
    if (counts === "steps") return most >= fewSteps && most - used <= 2;
    return used >= lowAt * most;
  }

  #limitsOfCalls(): Limit[] {
    return this.#limits.filter(({ counts }) => counts === "toolCalls");
  }

  #stopAt(limit: Limit, need: Need): StopSignal | undefined {
    const { counts, most } = limit;
    if (this.#isOff(limit)) return undefined;
    const needed = counts === "steps" ? 1 : need[counts as "tokens" | "cost"];
    if (needed !== undefined && this.#used(limit) + this.#reserved[counts] + needed <= most) return undefined;
    return this.#signal(limit, needed);
  }

  /** Whether nobody asked for the limit, and there is nothing to count. */
  #isOff({ counts, isGiven }: Limit): boolean {
    const { price, cost } = this.#meter;
    return counts === "cost" && !isGiven && (price === undefined || cost === undefined);
  }

  #used({ of, counts }: Limit): number {
    return (of === "conversation" ? this.#before[counts] : 0) + (this.#meter[counts] ?? 0);
  }

  #signal(limit: Limit, needed: number | undefined): StopSignal {
    const { of, counts, most, option } = limit;
    const used = this.#used(limit);
    const { reason, total, max, text } = told[counts];
    const amount = needed === undefined ? undefined : rounded(needed);
    const message = `The ${of} ${text(rounded(used), rounded(most), amount)} ${wayOn(option)}`;
    const context: JsonObject = {
      [total]: used,
      [max]: most,
      ...(counts !== "steps" && needed !== undefined && { needed }),
      ...(of === "conversation" && { of }),
    };
    return { reason, message, context };
  }
}

/** What the requests of one step have reserved. It is added to what everybody has reserved. */
export class Reservation {
  readonly #all: Record<Counted, number>;
  readonly #stopBefore: Ledger["stopBefore"];
  #tokens = 0;
  #cost = 0;
  #hasBegun = false;

  constructor(all: Record<Counted, number>, stopBefore: Ledger["stopBefore"]) {
    this.#all = all;
    this.#stopBefore = stopBefore;
  }

  /**
   * Reserves for the step's next request, beside what the requests before it have used.
   *
   * @returns why it may not be made; then the reservation is as it was
   */
  extend(used: Need, next: Need): StopSignal | undefined {
    const before = { tokens: this.#tokens, cost: this.#cost };
    this.#hold(used.tokens, used.cost ?? 0);
    const stop = this.#stopBefore(next, this.#hasBegun);
    this.#hasBegun = true;
    if (stop) this.#hold(before.tokens, before.cost);
    else this.#hold(used.tokens + next.tokens, (used.cost ?? 0) + (next.cost ?? 0));
    return stop;
  }

  /** Gives back what is reserved. Called in the moment in which the meter counts what the step has used. */
  release(): void {
    this.#hold(0, 0);
  }

  #hold(tokens: number, cost: number): void {
    this.#all.tokens += tokens - this.#tokens;
    this.#all.cost += cost - this.#cost;
    this.#tokens = tokens;
    this.#cost = cost;
  }
}

/** The part of a limit at whose use the model is told. */
export const lowAt = 0.8;

/** Of fewer steps, all are few. */
const fewSteps = 5;

/** Tells the model what is left. */
export function lowNotice(of: "run" | "conversation", left: number, most: number, unit: string): string {
  const whose = of === "run" ? "Budget" : "Budget of the conversation";
  return `${whose}: ${rounded(Math.max(0, left))} of ${most} ${unit} are left. Finish and answer now.`;
}

/** What to do about a limit that has ended a run: its end stands in the log, so `recover` would not go on. */
export function wayOn(option: string): string {
  return `The limit is \`${option}\`: raise it, and go on with a new prompt.`;
}

/** The usual limit of the cost of a run is that of so many tokens, where the price of the model is known. */
const usualTokens: Usage = { ...zeroUsage, input: 20_000_000, output: 2_000_000 };

const told: Record<
  Counted,
  {
    reason: StopReason;
    total: string;
    max: string;
    /** What the amounts are, as the model reads it. */
    unit: string;
    text(used: number, most: number, needed: number | undefined): string;
  }
> = {
  steps: {
    reason: "steps_limit",
    total: "currentSteps",
    max: "maxSteps",
    unit: "steps",
    text: (used, most) => `has taken ${used} of ${most} steps, and the model has not answered yet.`,
  },
  tokens: {
    reason: "token_limit",
    total: "totalTokens",
    max: "maxTotalTokens",
    unit: "tokens",
    text: (used, most, needed) => `has used ${used} of ${most} tokens, and its next request may need ${needed}.`,
  },
  cost: {
    reason: "cost_limit",
    total: "totalCost",
    max: "maxCost",
    unit: "units of money",
    text: (used, most, needed) =>
      `has cost ${used} of ${most}, and its next request may cost ${needed ?? "any amount: its price is unknown"}.`,
  },
  toolCalls: {
    reason: "calls_limit",
    total: "totalToolCalls",
    max: "maxToolCalls",
    unit: "tool calls",
    text: (used, most) => `has made ${used} of ${most} tool calls, and the model calls more.`,
  },
};

function limitsOf(limits: RunLimits, price: Price | undefined): Limit[] {
  // A model that costs nothing needs no limit.
  const usual = (price && costOf(usualTokens, price)) || Number.POSITIVE_INFINITY;
  return [...limitsIn("run", limits, usual), ...limitsIn("conversation", limits.conversation, usual)];
}

function limitsIn(of: Limit["of"], amounts: Amounts, usualCost: number): Limit[] {
  return (Object.keys(told) as Counted[]).flatMap((counts) => {
    const { [counts]: given } = amounts;
    const most = given ?? usualCost;
    const option = of === "run" ? `budget.${counts}` : `budget.conversation.${counts}`;
    return most === Number.POSITIVE_INFINITY
      ? []
      : [{ of, counts, most, option, isGiven: given !== undefined, isTold: false }];
  });
}

/** What the runs of a log have used, and the input of its last request. A log from elsewhere may hold anything. */
function usedIn(
  stored: readonly LogEvent[],
  price: Price | undefined,
): Record<Counted, number> & { lastInput: number } {
  const used = { steps: 0, cost: 0, toolCalls: 0 };
  const count = new TokenCount();
  for (const [index, event] of stored.entries()) {
    if (event.type === "result") {
      used.toolCalls += counted(event.payload?.success_count) + counted(event.payload?.failure_count);
    } else if (event.type === "record" && event.kind === "usage") {
      const { input, output, cacheRead, cacheWrite, cost } = (event.data ?? {}) as Partial<Usage & { cost: number }>;
      const [a, b, c, d] = [input, output, cacheRead, cacheWrite].map(counted) as [number, number, number, number];
      const usage = { input: a, output: b, cacheRead: c, cacheWrite: d, reasoning: 0 };
      const next = stored[index + 1];
      if (next?.type === "record" && next.kind === "summary") {
        // The request for a summary is no step.
        count.addOther(tokensOf(usage));
      } else {
        used.steps++;
        count.add([inputOf(usage)], b);
      }
      used.cost += cost === undefined && price ? costOf(usage, price) : counted(cost);
    }
  }
  return { ...used, tokens: count.total, lastInput: count.lastInput };
}

function counted(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Four digits are enough to read. */
function rounded(amount: number): number {
  return Number.isInteger(amount) ? amount : Number(amount.toPrecision(4));
}
