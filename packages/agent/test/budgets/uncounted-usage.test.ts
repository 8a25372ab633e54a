import type { Usage } from "@cogency/protocol";
import { scripted, zeroUsage } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/index.ts";

const prices = { "scripted-1": { input: 1, output: 1 } };

/** What a server may report, as a provider without a type checker passes it on. */
const reports: [what: string, usage: object][] = [
  ["nothing", {}],
  ["zeros", zeroUsage],
  ["no input", { ...zeroUsage, output: 5 }],
  ["less than nothing", { ...zeroUsage, input: -5 }],
  ["texts", { input: "9", output: "9", cacheRead: "0", cacheWrite: "0", reasoning: "0" }],
  ["no number", { ...zeroUsage, input: Number.NaN }],
  ["more tokens than there are", { ...zeroUsage, input: 1e308, output: 1e308 }],
];

describe("a provider that counts no tokens and reports", () => {
  it.each(reports)("%s has its requests estimated, and marked so", async (_what, usage) => {
    const provider = scripted([{ chunks: "Hello.\n<end>", usage: usage as Usage }]);
    const { status, usage: used, cost = 0 } = await createAgent({ provider, prices }).ask("Hi");
    expect(status).toBe("completed");
    // A token for four characters of what the model wrote.
    expect(used).toMatchObject({ estimated: true, output: 3 });
    expect(used.input).toBeGreaterThan(0);
    expect(cost).toBeGreaterThan(0);
  });

  it.each(reports)("%s does not go past a limit of the cost", async (_what, usage) => {
    const step = { chunks: '<execute>[{"name":"none","args":{}}]</execute>', usage: usage as Usage };
    const agent = createAgent({
      provider: scripted(Array.from({ length: 50 }, () => step)),
      prices,
      budget: { cost: 0.01, failedCalls: Infinity, repeats: Infinity },
      request: { maxOutputTokens: 10 },
    });
    expect((await agent.ask("Hi")).stop?.reason).toBe("cost_limit");
  });
});
