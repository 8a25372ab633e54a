import { createAgent } from "@cogency/agent";
import { ProviderError, scripted, withRetry } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { attributeProblems, metricConventions } from "../test/support/conventions.ts";
import { metering } from "../test/support/metering.ts";
import { calling, fail, look, usage } from "../test/support/shop.ts";
import { measureAgent } from "./index.ts";

const prices = { "scripted-1": { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } };
const refused = { error: new ProviderError("authentication", "The key is refused.") };

describe("measureAgent", () => {
  it("measures requests by the conventions: their names, units, boundaries and attributes", async () => {
    const { meter, collect } = metering();
    const agent = createAgent({ provider: scripted([{ chunks: "Hello.<end>", usage }, refused, "Estimated.<end>"]) });
    measureAgent(agent, { meter });
    for (const prompt of ["a", "b", "c"]) await agent.ask(prompt);
    const metrics = await collect();
    for (const [name, convention] of Object.entries(metricConventions)) {
      const metric = metrics.get(name);
      expect(metric).toMatchObject({ unit: convention.unit, isHistogram: convention.instrument === "histogram" });
      expect(metric?.boundaries).toEqual(convention.boundaries);
      for (const { attributes } of metric?.points ?? [])
        expect(attributeProblems(attributes, convention.attributes)).toEqual([]);
    }
    const durations = metrics.get("gen_ai.client.operation.duration")?.points ?? [];
    expect(durations.map(({ attributes, count }) => [attributes["error.type"], count])).toEqual([
      [undefined, 2],
      ["authentication", 1],
    ]);
    // Tokens that the provider has not counted are left out.
    const tokens = metrics.get("gen_ai.client.token.usage")?.points ?? [];
    expect(tokens.map(({ attributes, value, count }) => [attributes["gen_ai.token.type"], value, count])).toEqual([
      ["input", 135, 1],
      ["output", 20, 1],
    ]);
  });

  it("counts runs by status, calls by outcome, retries and cost", async () => {
    const { meter, collect } = metering();
    const busy = { error: new ProviderError("rate_limit", "Too many requests.") };
    const script = [
      busy,
      calling({ name: "look" }, { name: "look" }, { name: "fail" }, { name: "gone" }),
      { chunks: "Done.<end>", usage },
      refused,
    ];
    const provider = withRetry(scripted(script), { baseDelay: 1 });
    const agent = createAgent({ provider, tools: [look, fail], prices, budget: { cost: 1e9 } });
    measureAgent(agent, { meter });
    await agent.ask("a");
    await agent.ask("b");
    const metrics = await collect();
    const counts = (name: string, ...by: string[]) =>
      Object.fromEntries(
        (metrics.get(name)?.points ?? []).map(({ attributes, value }) => [
          by.map((attribute) => attributes[attribute] ?? "").join(" "),
          value,
        ]),
      );
    expect(counts("cogency.runs", "cogency.run.status", "error.type")).toEqual({
      "completed ": 1,
      "failed provider": 1,
    });
    expect(counts("cogency.tool.calls", "gen_ai.tool.name", "cogency.tool.outcome")).toEqual({
      "look success": 2,
      "fail failure": 1,
      // The name of a tool that does not exist could be any text.
      " failure": 1,
    });
    expect(counts("cogency.request.retries", "error.type", "gen_ai.request.model")).toEqual({
      "rate_limit scripted-1": 1,
    });
    expect(counts("cogency.cost", "gen_ai.request.model")).toEqual({ "scripted-1": 200 });
  });

  it("measures nothing more once it is ended", async () => {
    const { meter, collect } = metering();
    const agent = createAgent({ provider: scripted(["Hello.<end>"]) });
    measureAgent(agent, { meter })();
    await agent.ask("a");
    expect((await collect()).get("cogency.runs")).toBeUndefined();
  });
});
