import { describe, expect, it } from "vitest";
import { compaction } from "../../src/history.ts";
import { collect, conversation } from "../support/fixtures.ts";
import { usage } from "../support/react.ts";
import { summariesIn, talking, tokensOf, words } from "./support.ts";

const window = 4000;
const history = compaction({ window });
const answer = (_: unknown, at: number) => `Answer ${at}. ${words(200)}<end>`;

/** A conversation whose next turn is compacted. */
async function nearlyFull(options: Parameters<typeof talking>[1] = {}, sum?: Parameters<typeof talking>[2]) {
  const before = talking(answer);
  for (let turn = 0; turn < 7; turn++) await before.ask(`Question ${turn}. ${words(200)}`, { conversation });
  return talking(answer, { store: before.store, history, ...options }, sum);
}

const next = `Question 7. ${words(400)}`;

describe("the budget and a summary", () => {
  it("is not asked for where no tokens are left for it: the run stops as for any request", async () => {
    const talker = await nearlyFull({ budget: { tokens: 1000 } });
    const { status, stop } = await talker.ask(next, { conversation });
    expect({ status, reason: stop?.reason }).toEqual({ status: "stopped", reason: "token_limit" });
    expect(talker.provider.requests).toEqual([]);
  });

  it("counts its tokens against the budget of the run", async () => {
    const talker = await nearlyFull({ budget: { tokens: 20_000 } });
    const { status, usage: used } = await talker.ask(next, { conversation });
    expect(status).toBe("completed");
    expect(talker.summaries()).toHaveLength(1);
    const [both, step] = [talker.provider.requests, talker.steps()].map((requests) =>
      requests.reduce((sum, one) => sum + tokensOf(one), 0),
    );
    expect(both).toBeGreaterThan(step ?? 0);
    expect(used.input).toBe(both);
  });

  it("is no step of the conversation", async () => {
    const talker = await nearlyFull({ budget: { conversation: { steps: 9 } } });
    expect((await talker.ask(next, { conversation })).status).toBe("completed");
    expect(talker.summaries()).toHaveLength(1);
    expect((await talker.ask("And?", { conversation })).status).toBe("completed");
    expect((await talker.ask("And?", { conversation })).stop?.reason).toBe("steps_limit");
  });

  it("is told to the consumer where its price is unknown and the cost is limited", async () => {
    const { provider } = talking(() => "");
    const talker = await nearlyFull({
      history: compaction({ window, provider }),
      prices: { "scripted-1": { input: 1, output: 1 } },
      budget: { cost: 5 },
      provider: talking(answer).provider,
    });
    const run = talker.run(next, { conversation });
    const events = await collect(run);
    expect((await run.result).status).toBe("completed");
    expect(events.find(({ type }) => type === "error")).toMatchObject({
      code: "compaction_failed",
      content: expect.stringContaining("its price is unknown"),
    });
    expect(summariesIn(await talker.log())).toEqual([]);
  });

  it("gives back what it had reserved when it fails", async () => {
    const talker = await nearlyFull({ budget: { tokens: 8500 } }, () => ({ chunks: "", usage: usage(10, 0) }));
    // The request for the summary and the one of the step do not fit together.
    expect((await talker.ask(next, { conversation })).status).toBe("completed");
    expect(talker.summaries()).toHaveLength(1);
    expect(summariesIn(await talker.log())).toEqual([]);
  });
});
