import type { JsonObject, LogEvent, RecordContent, Usage } from "@cogency/protocol";
import { costOf, type Price, zeroUsage } from "@cogency/provider";
import { type StopReason, type StopSignal, strongestStop } from "@cogency/tools/host";
import { inputOf, type Meter, TokenCount, tokensOf } from "../meter.ts";
import type { Amounts, RunLimits } from "../settings.ts";

type Counted = keyof Amounts;

/** What a conversation has used, with those below it. */
export type Used = NonNullable<Extract<RecordContent, { kind: "child" }>["data"]["used"]>;

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
  readonly #above: Ledger | undefined;
  #limits: readonly Limit[];
  /** What the conversation had used before the run. */
  #before: Record<Counted, number> = { steps: 0, tokens: 0, cost: 0, toolCalls: 0 };
  /** What conversations below had used before the run, by their names. */
  #below = new Map<string, Used>();
  readonly #reserved: Record<Counted, number> = { steps: 0, tokens: 0, cost: 0, toolCalls: 0 };

  /** @param above of the run that has started this one: what is reserved here is reserved there, too */
  constructor(limits: RunLimits, meter: Meter, above?: Ledger) {
    this.#meter = meter;
    this.#above = above;
    this.#limits = limitsOf(limits, meter.price);
  }

  /** Counts what the conversation has used by its log. `price` is that of usage whose cost was not stored. */
  begin(stored: readonly LogEvent[], price: Price | undefined, conversation = ""): void {
    const { lastInput, below, ...used } = usedIn(stored, price);
    this.#meter.begin(lastInput);
    this.#before = used;
    this.#below = below;
    this.#above?.find(conversation, this.used);
  }

  /** Counts what a conversation below had used before this run, whatever the log says of it. */
  find(conversation: string, used: Used): void {
    this.#below.set(conversation, used);
  }

  /** What the conversation has used, with those below it. */
  get used(): Used {
    const { steps, tokens, toolCalls, cost } = this.#meter;
    const { cost: spent, ...before } = this.#usedBefore();
    const all = spent + (cost ?? 0);
    return {
      steps: before.steps + steps,
      tokens: before.tokens + tokens,
      toolCalls: before.toolCalls + toolCalls,
      ...((cost !== undefined || spent > 0) && { cost: all }),
    };
  }

  #usedBefore(): Record<Counted, number> {
    return sumOf(this.#before, this.#below);
  }

  /** Other limits hold from now on. */
  change(limits: RunLimits): void {
    this.#limits = limitsOf(limits, this.#meter.price);
  }

  /** Whether requests are limited by what they use, so that their size matters. */
  get isMeasuring(): boolean {
    const isMeasuring = ({ counts }: Limit) => counts === "tokens" || counts === "cost";
    return this.#limits.some((limit) => isMeasuring(limit) && !this.#isOff(limit)) || this.#above?.isMeasuring === true;
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
    return strongestStop([...stops, this.#above?.stopBelow(need)].filter((stop) => stop !== undefined));
  }

  /** Why a run below may not make a request: steps and calls of its own do not count here. */
  stopBelow(need: Need): StopSignal | undefined {
    const shared = this.#limits.filter(({ counts }) => counts === "tokens" || counts === "cost");
    const stops = shared.map((limit) => this.#stopAt(limit, need, true));
    return strongestStop([...stops, this.#above?.stopBelow(need)].filter((stop) => stop !== undefined));
  }

  /**
   * Reserves what a step's first request may use, or says why it may not be made.
   *
   * @param isRepeat whether the step counts already: its first request failed
   */
  reserve(need: Need, isRepeat = false): Reservation | StopSignal {
    const stopBefore = (next: Need, isWithinStep?: boolean) => this.stopBefore(next, isRepeat || isWithinStep);
    const reservation = new Reservation(this.#accounts(), stopBefore);
    return reservation.extend({ tokens: 0, cost: 0 }, need) ?? reservation;
  }

  /** Where a reservation counts: here, and in the runs above. */
  #accounts(): Record<Counted, number>[] {
    return this.#above ? [this.#reserved, ...this.#above.#accounts()] : [this.#reserved];
  }

  /** How many calls the next batch may hold. */
  get callsLeft(): number {
    const left = this.#limitsOfCalls().map((limit) => limit.most - this.#used(limit));
    return Math.min(...left, this.#above?.callsLeft ?? Number.POSITIVE_INFINITY);
  }

  /** Why the run ends where the model calls tools and no call is left. */
  get stopOfCalls(): StopSignal | undefined {
    const limit = this.#limitsOfCalls().find((limit) => this.#used(limit) >= limit.most);
    return limit ? this.#signal(limit, 1) : this.#above?.stopOfCalls;
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

  #stopAt(limit: Limit, need: Need, isBelow = false): StopSignal | undefined {
    const { counts, most } = limit;
    if (this.#isOff(limit)) return undefined;
    const needed = counts === "steps" ? 1 : need[counts as "tokens" | "cost"];
    if (needed !== undefined && this.#used(limit) + this.#reserved[counts] + needed <= most) return undefined;
    return this.#signal(limit, needed, isBelow);
  }

  /** Whether nobody asked for the limit, and there is nothing to count. */
  #isOff({ counts, isGiven }: Limit): boolean {
    const { price, cost } = this.#meter;
    return counts === "cost" && !isGiven && (price === undefined || cost === undefined);
  }

  #used({ of, counts }: Limit): number {
    return (of === "conversation" ? this.#usedBefore()[counts] : 0) + (this.#meter[counts] ?? 0);
  }

  #signal(limit: Limit, needed: number | undefined, isBelow = false): StopSignal {
    const { of, counts, most, option } = limit;
    const used = this.#used(limit);
    const { reason, total, max, text } = told[counts];
    const amount = needed === undefined ? undefined : rounded(needed);
    const whose = isBelow ? `${of} of the agent that has started this one` : of;
    const message = `The ${whose} ${text(rounded(used), rounded(most), amount)} ${wayOn(option)}`;
    const context: JsonObject = {
      [total]: used,
      [max]: most,
      ...(counts !== "steps" && needed !== undefined && { needed }),
      ...(of === "conversation" && { of }),
    };
    return { reason, message, context };
  }
}

/** What the requests of one step have reserved. It is added to what everybody has reserved, in each account. */
export class Reservation {
  readonly #accounts: readonly Record<Counted, number>[];
  readonly #stopBefore: Ledger["stopBefore"];
  #tokens = 0;
  #cost = 0;
  #hasBegun = false;

  constructor(accounts: readonly Record<Counted, number>[], stopBefore: Ledger["stopBefore"]) {
    this.#accounts = accounts;
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

  /** The answer has ended, and its calls run: of what was reserved, only what the step has used stays. */
  settle(used: Need): void {
    this.#hold(used.tokens, used.cost ?? 0);
  }

  /** Gives back what is reserved. Called in the moment in which the meter counts what the step has used. */
  release(): void {
    this.#hold(0, 0);
  }

  #hold(tokens: number, cost: number): void {
    for (const account of this.#accounts) {
      account.tokens += tokens - this.#tokens;
      account.cost += cost - this.#cost;
    }
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

/** Steps of conversations below do not count: each step is that of one agent. */
function sumOf(own: Record<Counted, number>, below: ReadonlyMap<string, Used>): Record<Counted, number> {
  const sum = { ...own };
  for (const { tokens, toolCalls, cost = 0 } of below.values()) {
    sum.tokens += tokens;
    sum.toolCalls += toolCalls;
    sum.cost += cost;
  }
  return sum;
}

/** What a conversation has used by its log. */
export function usedByLog(stored: readonly LogEvent[], price: Price | undefined): Used {
  const { below, lastInput: _, ...used } = usedIn(stored, price);
  return sumOf(used, below);
}

/** What the runs of a log have used, and the input of its last request. A log from elsewhere may hold anything. */
function usedIn(
  stored: readonly LogEvent[],
  price: Price | undefined,
): Record<Counted, number> & { lastInput: number; below: Map<string, Used> } {
  const used = { steps: 0, cost: 0, toolCalls: 0 };
  const below = new Map<string, Used>();
  const count = new TokenCount();
  for (const [index, event] of stored.entries()) {
    if (event.type === "result") {
      used.toolCalls += counted(event.payload?.success_count) + counted(event.payload?.failure_count);
    } else if (event.type === "record" && event.kind === "child" && event.data?.used) {
      const { steps, tokens, toolCalls, cost } = event.data.used;
      const [a, b, c, d] = [steps, tokens, toolCalls, cost].map(counted) as [number, number, number, number];
      below.set(String(event.data.conversation), { steps: a, tokens: b, toolCalls: c, cost: d });
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
  return { ...used, tokens: count.total, lastInput: count.lastInput, below };
}

function counted(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Four digits are enough to read. */
function rounded(amount: number): number {
  return Number.isInteger(amount) ? amount : Number(amount.toPrecision(4));
}
