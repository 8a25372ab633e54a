import type { LogEvent } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { usualLimits } from "../limits.ts";
import { Meter } from "../meter.ts";
import type { RunLimits } from "../settings.ts";
import { Ledger, type Reservation } from "./ledger.ts";

const price = { input: 1, output: 1 };
const endless = Number.POSITIVE_INFINITY;
const none: RunLimits = { ...usualLimits, steps: endless, tokens: endless, cost: endless, toolCalls: endless };

function ledgerOf(limits: Partial<RunLimits>) {
  const meter = new Meter(() => 0, price);
  return { meter, ledger: new Ledger({ ...none, ...limits }, meter) };
}

/** A need of these tokens, whose cost is as many millionths. */
const need = (tokens: number) => ({ tokens, cost: tokens / 1_000_000 });

const reserved = (reservation: unknown) => reservation as Reservation;

/** Uses tokens in one step. */
function use(meter: Meter, input: number): void {
  meter.start();
  meter.stop({ ...zeroUsage, input });
}

describe("what two at work reserve", () => {
  it("fits together into what is left, so that they cannot spend the same tokens", () => {
    const { ledger } = ledgerOf({ tokens: 100 });
    const first = reserved(ledger.reserve(need(60)));
    expect(ledger.reserve(need(60))).toMatchObject({ reason: "token_limit", context: { totalTokens: 0, needed: 60 } });
    const second = reserved(ledger.reserve(need(40)));
    first.release();
    expect(ledger.reserve(need(60))).not.toHaveProperty("reason");
    second.release();
  });

  it("is given back once, and what was really used counts instead", () => {
    const { ledger, meter } = ledgerOf({ tokens: 100 });
    const first = reserved(ledger.reserve(need(90)));
    first.release();
    first.release();
    use(meter, 30);
    expect(ledger.reserve(need(70))).not.toHaveProperty("reason");
    expect(ledger.reserve(need(1))).toMatchObject({ reason: "token_limit" });
  });

  it("holds for a step's second request together with what the first one used", () => {
    const { ledger } = ledgerOf({ tokens: 100 });
    const step = reserved(ledger.reserve(need(60)));
    expect(step.extend(need(50), need(60))).toMatchObject({ reason: "token_limit" });
    // As it was: 60 are reserved.
    expect(ledger.reserve(need(41))).toHaveProperty("reason");
    expect(step.extend(need(50), need(20))).toBeUndefined();
    expect(ledger.reserve(need(31))).toHaveProperty("reason");
    expect(ledger.reserve(need(30))).not.toHaveProperty("reason");
  });

  it("is money, too", () => {
    const { ledger } = ledgerOf({ cost: 0.0001 });
    const step = reserved(ledger.reserve(need(60)));
    expect(ledger.reserve(need(60))).toMatchObject({
      reason: "cost_limit",
      message:
        "The run has cost 0 of 0.0001, and its next request may cost 0.00006. The limit is `budget.cost`: raise it, and go on with a new prompt.",
      context: { totalCost: 0, maxCost: 0.0001, needed: 0.00006 },
    });
    step.release();
    expect(ledger.reserve(need(60))).not.toHaveProperty("reason");
  });
});

describe("a limit of the cost without a price", () => {
  const unknown = { tokens: 1, cost: undefined };

  it("lets no request through if the host gave it", () => {
    const ledger = new Ledger({ ...none, cost: 5 }, new Meter(() => 0));
    expect(ledger.reserve(unknown)).toMatchObject({
      reason: "cost_limit",
      message:
        "The run has cost 0 of 5, and its next request may cost any amount: its price is unknown. The limit is `budget.cost`: raise it, and go on with a new prompt.",
    });
  });

  it("is none if it is the usual one, which is that of 20,000,000 tokens of input and 2,000,000 of output otherwise", () => {
    expect(new Ledger({ ...none, cost: undefined }, new Meter(() => 0)).reserve(unknown)).not.toHaveProperty("reason");
    const known = new Ledger({ ...none, cost: undefined }, new Meter(() => 0, price));
    expect(known.reserve({ tokens: 1, cost: 22 })).not.toHaveProperty("reason");
    expect(known.reserve({ tokens: 1, cost: 0.01 })).toMatchObject({ context: { maxCost: 22 } });
  });
});

describe("where several limits are reached at once", () => {
  const all = { steps: 1, tokens: 50, cost: 0.00005 };

  it.each<[string, Partial<RunLimits>]>([
    ["steps_limit", all],
    ["token_limit", { ...all, steps: endless }],
    ["cost_limit", { ...all, steps: endless, tokens: endless }],
  ])("the strongest reason counts: %s", (reason, limits) => {
    const { ledger, meter } = ledgerOf(limits);
    use(meter, 50);
    expect(ledger.stopBefore(need(1))?.reason).toBe(reason);
  });

  it("the run's own limit counts before the same one of the conversation", () => {
    const conversation = { ...none.conversation, tokens: 50 };
    const { ledger, meter } = ledgerOf({ tokens: 50, conversation });
    use(meter, 50);
    expect(ledger.stopBefore(need(1))?.context).not.toHaveProperty("of");
  });
});

describe("what a conversation has used", () => {
  const usage = (data: object): LogEvent => ({ type: "record", kind: "usage", data: data as never, timestamp: 1 });
  const result: LogEvent = {
    type: "result",
    content: "[]",
    payload: { tools_executed: 1, success_count: 1, failure_count: 2 },
    ids: [],
    timestamp: 1,
  };

  it("is what its log says, and usage without a cost counts at the price of the model", () => {
    const limits = { ...none, conversation: { steps: 3, tokens: 1000, cost: 1, toolCalls: 5 } };
    const ledger = new Ledger(limits, new Meter(() => 0, price));
    const counted = { ...zeroUsage, input: 100, output: 20, cacheRead: 300, cacheWrite: 4, reasoning: 7 };
    ledger.begin([usage({ ...counted, cost: 0.5 }), result, usage(counted)], price);
    expect(ledger.callsLeft).toBe(2);
    // The second request held the first one's input again.
    expect(ledger.stopBefore({ tokens: 1000 - 444, cost: 0 })).toBeUndefined();
    expect(ledger.stopBefore({ tokens: 1001 - 444, cost: 0 })).toMatchObject({
      reason: "token_limit",
      message:
        "The conversation has used 444 of 1000 tokens, and its next request may need 557. The limit is `budget.conversation.tokens`: raise it, and go on with a new prompt.",
      context: { totalTokens: 444, maxTotalTokens: 1000, needed: 557, of: "conversation" },
    });
    expect(ledger.stopBefore({ tokens: 0, cost: 0.5 })?.context).toMatchObject({ totalCost: 0.5 + 424 / 1_000_000 });
  });

  it("holds the tokens of a summary, whose request is no step", () => {
    const conversation = { ...none.conversation, steps: 2, tokens: 1000 };
    const ledger = new Ledger({ ...none, conversation }, new Meter(() => 0));
    const summary: LogEvent = { type: "record", kind: "summary", data: { upTo: 1, text: "" }, timestamp: 1 };
    ledger.begin([usage({ ...zeroUsage, input: 100 }), usage({ ...zeroUsage, input: 400 }), summary], undefined);
    expect(ledger.stopBefore({ tokens: 500, cost: undefined })).toBeUndefined();
    expect(ledger.stopBefore({ tokens: 501, cost: undefined })?.context).toMatchObject({ totalTokens: 500 });
  });

  it("is counted of a log that holds anything", () => {
    const ledger = new Ledger({ ...none, conversation: { ...none.conversation, tokens: 100 } }, new Meter(() => 0));
    const odd = [{ ...zeroUsage, input: "5" }, { input: -5 }, { input: Number.NaN, output: 10 }, undefined, 5, []];
    ledger.begin([...odd.map((data) => usage(data as never)), { ...result, payload: undefined as never }], undefined);
    expect(ledger.stopBefore({ tokens: 90, cost: undefined })).toBeUndefined();
    expect(ledger.stopBefore({ tokens: 91, cost: undefined })?.context).toMatchObject({ totalTokens: 10 });
  });
});
