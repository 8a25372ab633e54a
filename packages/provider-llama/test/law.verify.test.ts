import { expect, it } from "vitest";
import { describeLlama } from "./support/describe-llama.ts";
import { type Turns, takeTurns } from "./support/random-agent.ts";

describeLlama("agents whose models have random weights", () => {
  it("never have a block refused in 200 turns, and make no call whose arguments the tool refuses", async () => {
    const all: Turns[] = [];
    for (const seed of [1, 2, 3, 4]) all.push(await takeTurns(50, { isBound: true, seed }));
    const sum = (count: (turns: Turns) => number) => all.map(count).reduce((one, other) => one + other);
    const [turns, cut, refused] = [sum((one) => one.turns), sum((one) => one.cut), sum((one) => one.refused)];
    const calls = sum((one) => one.calls);
    const malformed = all.flatMap((one) => one.malformed);
    console.log(
      `${turns} turns, ${cut} cut by the limit, ${refused} refused blocks, ${sum((one) => one.tokens)} tokens`,
    );
    const failing = JSON.stringify(all.map((one) => one.failing));
    console.log(`${calls} calls, ${malformed.length} whose arguments the tool refuses; valid and failing: ${failing}`);
    expect({ turns, refused, malformed }).toEqual({ turns: 200, refused: 0, malformed: [] });
    expect(calls).toBeGreaterThan(50);
    expect(cut).toBeLessThan(20);
  });

  it("make no call at all that could run without the grammar", async () => {
    const { turns, calls } = await takeTurns(8, { isBound: false, seed: 1 });
    expect({ turns, calls }).toEqual({ turns: 8, calls: 0 });
  });
});
