import { expect, it } from "vitest";
import { describeLlama } from "./support/describe-llama.ts";
import { takeTurns } from "./support/random-agent.ts";

describeLlama("the law", () => {
  it("bound", async () => {
    const t0 = Date.now();
    console.log(await takeTurns(40, { isBound: true, seed: 1 }), Date.now() - t0);
    const t1 = Date.now();
    console.log(await takeTurns(40, { isBound: false, seed: 1 }), Date.now() - t1);
    expect(1).toBe(1);
  });
});
