import { zeroUsage } from "@cogency/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usualLimits } from "../limits.ts";
import { Meter } from "../meter.ts";
import type { RunLimits } from "../settings.ts";
import { Ledger, type Need, type Reservation } from "./ledger.ts";

const endless = Number.POSITIVE_INFINITY;
const none: RunLimits = { ...usualLimits, steps: endless, tokens: endless, cost: endless, toolCalls: endless };
const price = { input: 1, output: 1 };

/** One run of a tree of runs: the parent is one that was made before it. */
interface Planned {
  parent: number;
  limit: number | undefined;
}

/** What one run does next: asks for a request, or ends the one that it has, which has used a part of what was estimated. */
interface Act {
  run: number;
  estimate: number;
  part: number;
}

interface Run {
  meter: Meter;
  ledger: Ledger;
  above: Run | undefined;
  limit: number | undefined;
  open: { reservation: Reservation; estimate: number } | undefined;
  /** What requests of it and of those below have used. */
  used: number;
}

const tree = fc.array(
  fc.record({ parent: fc.nat(), limit: fc.option(fc.integer({ min: 50, max: 1000 }), { nil: undefined }) }),
  { minLength: 1, maxLength: 12 },
);
const acts = fc.array(
  fc.record({
    run: fc.nat(),
    estimate: fc.integer({ min: 1, max: 120 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 120 },
);

function play(planned: readonly Planned[], done: readonly Act[]): Run[] {
  const runs: Run[] = [];
  for (const [index, { parent, limit }] of planned.entries()) {
    const above = index === 0 ? undefined : runs[parent % index];
    const meter = new Meter(() => 0, price, above?.meter);
    const ledger = new Ledger({ ...none, tokens: limit ?? endless }, meter, above?.ledger);
    runs.push({ meter, ledger, above, limit, open: undefined, used: 0 });
  }
  for (const { run: at, estimate, part } of done) {
    const run = runs[at % runs.length] as Run;
    if (run.open) {
      const { reservation, estimate: most } = run.open;
      const used = Math.floor(most * part);
      run.open = undefined;
      reservation.release();
      run.meter.start();
      run.meter.stop({ ...zeroUsage, output: used }, []);
      for (let one: Run | undefined = run; one; one = one.above) one.used += used;
    } else {
      const need: Need = { tokens: estimate, cost: 0 };
      const reservation = run.ledger.reserve(need);
      if (!("reason" in reservation)) run.open = { reservation, estimate };
    }
    check(runs);
  }
  return runs;
}

/** Of no run, with all runs below it, more is used and reserved than its limit. */
function check(runs: readonly Run[]): void {
  for (const run of runs) {
    const below = runs.filter((one) => isBelow(one, run));
    const reserved = below.reduce((sum, { open }) => sum + (open?.estimate ?? 0), 0);
    expect(run.used + reserved).toBeLessThanOrEqual(run.limit ?? endless);
    expect(run.meter.tokens).toBe(run.used);
  }
}

function isBelow(run: Run, other: Run): boolean {
  for (let one: Run | undefined = run; one; one = one.above) if (one === other) return true;
  return false;
}

describe("ledgers of runs that runs have started", () => {
  it("never let more be used and reserved below any of them than its limit, and count each request once at each level", () => {
    fc.assert(fc.property(tree, acts, (planned, done) => void play(planned, done)));
  });

  it("give back everything that is not used: what is left is left for anybody", () => {
    fc.assert(
      fc.property(tree, acts, (planned, done) => {
        const runs = play(planned, done);
        for (const run of runs) run.open?.reservation.release();
        for (const run of runs) {
          const left = [];
          for (let one: Run | undefined = run; one; one = one.above) left.push((one.limit ?? endless) - one.used);
          const least = Math.min(...left);
          if (least === endless || least < 1) continue;
          const reservation = run.ledger.reserve({ tokens: least, cost: 0 });
          expect(reservation).not.toHaveProperty("reason");
          (reservation as Reservation).release();
          expect(run.ledger.reserve({ tokens: least + 1, cost: 0 })).toMatchObject({ reason: "token_limit" });
        }
      }),
    );
  });

  it("count what a conversation below had used before a restart once, whatever the log says of it", () => {
    const used = { steps: 1, tokens: 40, toolCalls: 0 };
    const log = [
      { type: "record", kind: "child", data: { call: "c", agent: "a", conversation: "below", used }, timestamp: 0 },
    ] as const;
    const ledger = new Ledger(
      { ...none, conversation: { ...none.conversation, tokens: 100 } },
      new Meter(() => 0, price),
    );
    ledger.begin(log, price);
    expect(ledger.used.tokens).toBe(40);
    ledger.find("below", { ...used, tokens: 55 });
    expect(ledger.used.tokens).toBe(55);
    expect(ledger.stopBefore({ tokens: 46, cost: 0 })).toMatchObject({ context: { of: "conversation" } });
    expect(ledger.stopBefore({ tokens: 45, cost: 0 })).toBeUndefined();
  });
});
