import { expect, it } from "vitest";
import { describeLlama } from "./support/describe-llama.ts";
import { type Turns, takeTurns } from "./support/random-agent.ts";

describeLlama("agents whose models have random weights", () => {
  it("never have a block refused in 200 turns, and make no call that does not fit the schema of its tool", async () => {
    const all: Turns[] = [];
    for (const seed of [1, 2, 3, 4]) all.push(await takeTurns(50, { isBound: true, seed }));
    const sum = (count: (turns: Turns) => number) => all.map(count).reduce((one, other) => one + other);
    const calls = sum((one) => one.calls);
    const told = `${sum((one) => one.turns)} turns, ${sum((one) => one.cut)} cut by the limit, ${calls} calls`;
    console.log(`${told}, ${sum((one) => one.unruly.length)} against a rule that stands in no schema`);
    expect(sum((one) => one.turns)).toBe(200);
    expect(sum((one) => one.refused)).toBe(0);
    expect(all.flatMap((one) => one.malformed)).toEqual([]);
    expect(calls).toBeGreaterThan(50);
    expect(sum((one) => one.cut)).toBeLessThan(20);
  });

  it("make no call at all that could run without the grammar", async () => {
    const { turns, calls } = await takeTurns(20, { isBound: false, seed: 1 });
    expect({ turns, calls }).toEqual({ turns: 20, calls: 0 });
  });
});
