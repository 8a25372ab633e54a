import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { agentOf, block, conversation, give, helper, resultsIn, tool } from "../test/support/play.ts";

/** In units of money a token. */
const prices = { "scripted-1": { input: 10, output: 30 } };

describe("a budget of 1.00 that twenty agents share", () => {
  it.each([1, 2, 3, 4, 5])("is not exceeded by more than the estimate of one request (%i)", async (seed) => {
    const store = memoryStore();
    // Requests that cost up to 0.03, more than is estimated for some of them.
    let state = seed * 7919;
    const random = () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const reply = (chunks: string) => ({
      chunks,
      usage: {
        input: Math.round(400 + 1200 * random()),
        output: Math.round(100 * random()),
        cacheRead: 0,
        cacheWrite: 0,
        reasoning: 0,
      },
    });
    const workers = Array.from({ length: 20 }, (_, index) =>
      helper(`w${index}`, [...Array.from({ length: 30 }, () => reply(block(["look"]))), reply("Yes.<end>")]),
    );
    const look = tool("look", {
      execute: () => new Promise((resolve) => setTimeout(resolve, 1 + 3 * random())),
    } as never);
    const { agent } = agentOf([reply(block(...workers.map(({ name }) => give(name)))), reply("Done.<end>")], workers, {
      store,
      tools: [look],
      prices,
      budget: { cost: 1, repeats: 1000 },
      request: { maxOutputTokens: 100 },
    });
    const result = await agent.ask("Go.", { conversation });
    const asked = workers.reduce((sum, { provider }) => sum + provider.requests.length, 0);
    const dearest = (1600 * 10 + 100 * 30) / 1e6;
    expect(result.cost).toBeLessThanOrEqual(1 + dearest);
    // What requests that run have reserved is not spent by others, so a part may be left.
    expect(result.cost).toBeGreaterThan(0.6);
    const stopped = (await resultsIn(store)).filter(
      ({ content }) => (content as { stop?: { reason: string } }).stop?.reason === "cost_limit",
    );
    expect(stopped.length).toBe(20);
    expect(asked).toBeGreaterThan(60);
    for (const { provider } of workers) expect(provider.requests.length).toBeGreaterThan(0);
  });
});
