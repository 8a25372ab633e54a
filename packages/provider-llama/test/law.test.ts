import { expect, it } from "vitest";
import { describeLlama } from "./support/describe-llama.ts";
import { takeTurns } from "./support/random-agent.ts";

describeLlama("an agent whose model has random weights", () => {
  it("never has a block refused, and makes no call that does not fit the schema of its tool", async () => {
    const turns = await takeTurns(5, { isBound: true, seed: 3 });
    expect(turns).toMatchObject({ turns: 5, refused: 0, malformed: [] });
    expect(turns.calls).toBeGreaterThan(0);
  });
});
