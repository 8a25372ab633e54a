import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { at, callThenAnswer, hooked } from "../hooks/stage.ts";

describe("a step whose model has no price", () => {
  const prices = { known: { input: 10, output: 10 } };
  const other = scripted(["Hi.<end>"], { model: "unknown" });
  const hooks = [
    at("beforeStep", ({ state }: { state: { step: number } }) => (state.step === 2 ? { provider: other } : undefined)),
  ];

  it("is refused where the cost is limited, and what the run has cost stays known", async () => {
    const provider = scripted(callThenAnswer, { model: "known" });
    const { go } = hooked([], hooks, { provider, prices, budget: { cost: 5 } });
    const { stop, cost } = await go();
    expect(cost).toBeGreaterThan(0);
    expect(stop).toMatchObject({ reason: "cost_limit", context: { totalCost: cost, maxCost: 5 } });
    expect(other.requests).toEqual([]);
  });

  it("is taken where nobody has limited the cost, which is unknown from then on", async () => {
    const provider = scripted(callThenAnswer, { model: "known" });
    const { go } = hooked([], hooks, { provider, prices });
    const { status, cost } = await go();
    expect({ status, cost }).toEqual({ status: "completed", cost: undefined });
  });
});
