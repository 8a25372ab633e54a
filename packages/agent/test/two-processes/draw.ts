import fc from "fast-check";
import type { KillPoint } from "./kill-point.ts";
import type { CancelTime, Plan, Talk } from "./plan.ts";

export type Role = "runner" | "sender";

export interface Draw {
  talks: readonly Talk[];
  /** Where each process of a role is killed, in the order of their starts. */
  points: Readonly<Record<Role, KillPoint[]>>;
}

/** What the sender says, and where the processes are killed. The same seed draws the same. */
export function draw(seed: number, kills: number): Draw {
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number, nth: number) =>
    numRuns === 0 ? [] : fc.sample(fc.noBias(arbitrary), { seed: seed + nth, numRuns });
  const ofRunner = sample(fc.integer({ min: 0, max: 4 }), kills, 0).filter((fifth) => fifth < 3).length;
  return {
    talks: sample(fc.array(plan, { minLength: 3, maxLength: 5 }), 6 + 2 * kills, 1),
    points: {
      runner: sample(pointWithin(60), ofRunner, 2),
      sender: sample(pointWithin(16), kills - ofRunner, 3),
    },
  };
}

const cancelTimes = ["taken", "asked", "half", "answered", "late"] satisfies CancelTime[];

const plan: fc.Arbitrary<Plan> = fc.record({
  verdicts: fc.array(fc.constantFrom("approve", "approve", "deny"), { minLength: 1, maxLength: 3 }),
  isSlow: fc.boolean(),
  isTakenBack: fc.boolean(),
  steers: fc.boolean(),
  cancel: fc.option(fc.constantFrom(...cancelTimes), { nil: undefined, freq: 2 }),
});

function pointWithin(marks: number): fc.Arbitrary<KillPoint> {
  const delay = fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined, freq: 2 });
  return fc.record({ mark: fc.integer({ min: 1, max: marks }), delay });
}
