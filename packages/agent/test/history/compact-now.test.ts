import { type ModelRequest, ProviderError, scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { compaction, compactNow, undoCompaction } from "../../src/history.ts";
import { conversation } from "../support/fixtures.ts";
import { isOfSummary, problemOf, summariesIn, talking, words } from "./support.ts";

const key = { conversation };

async function talked(turns: number, history?: ReturnType<typeof compaction>) {
  const talker = talking(() => `So. ${words(200)}<end>`, history && { history });
  for (let turn = 0; turn < turns; turn++) await talker.ask(`Question ${turn}. ${words(200)}`, { conversation });
  return talker;
}

describe("a compaction by hand", () => {
  it("sums up all but the last round at once, and says what it did", async () => {
    const talker = await talked(6);
    const compacted = await compactNow(talker.store, key, { provider: talker.provider, instructions: "the colours" });
    expect(talker.provider.requests.filter(isOfSummary)).toMatchObject([
      { system: expect.stringMatching(/Do not lose: the colours$/) },
    ]);
    expect(compacted?.text).toContain("> They talked.");
    expect(compacted?.before).toBeGreaterThan(2000);
    expect(compacted?.after).toBeLessThan((compacted?.before ?? 0) / 2);
    await talker.ask("And now?", { conversation });
    const request = talker.steps().at(-1);
    expect(request && problemOf(request)).toBeUndefined();
    expect(request?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("is taken back by undoCompaction, and can be made again", async () => {
    const talker = await talked(6);
    await compactNow(talker.store, key, { provider: talker.provider });
    expect(await undoCompaction(talker.store, key)).toBe(true);
    await talker.ask("And now?", { conversation });
    expect(talker.steps().at(-1)?.messages).toHaveLength(13);
    expect(await compactNow(talker.store, key, { provider: talker.provider })).toBeDefined();
  });

  it.each([
    ["an empty one", 0],
    ["a short one", 1],
  ])("does nothing to a conversation that is too short: %s", async (_, turns) => {
    const talker = await talked(turns);
    expect(await compactNow(talker.store, key, { provider: talker.provider })).toBeUndefined();
    expect(talker.summaries()).toEqual([]);
    const again = await talked(6);
    await compactNow(again.store, key, { provider: again.provider });
    expect(await compactNow(again.store, key, { provider: again.provider })).toBeUndefined();
  });

  it("makes several summaries of what does not fit into one request", async () => {
    const talker = await talked(20);
    const compacted = await compactNow(talker.store, key, { provider: talker.provider, window: 4000 });
    expect(talker.summaries().length).toBeGreaterThan(1);
    expect(compacted?.after).toBeLessThan(1000);
  });

  it("leaves the log as it is if the model gives no summary, the signal aborts, or somebody is faster", async () => {
    const talker = await talked(6);
    const before = await talker.log();
    const failing = scripted([{ chunks: "", error: new ProviderError("overloaded", "Try later.") }]);
    await expect(compactNow(talker.store, key, { provider: failing })).rejects.toThrow("Try later.");
    await expect(compactNow(talker.store, key, { provider: scripted([" "]) })).rejects.toThrow("gave no text");
    const signal = AbortSignal.abort(new Error("left"));
    await expect(compactNow(talker.store, key, { provider: talker.provider, signal })).rejects.toThrow("left");
    expect(await talker.log()).toEqual(before);
    const meanwhile = {
      ...talker.provider,
      async *stream(request: ModelRequest) {
        await talker.ask("Meanwhile.", { conversation });
        yield* scripted(["Late."]).stream(request);
      },
    };
    await expect(compactNow(talker.store, key, { provider: meanwhile })).rejects.toMatchObject({ code: "conflict" });
    expect(summariesIn(await talker.log())).toEqual([]);
  });

  it("keeps a window that the conversation has learned", async () => {
    const error = new ProviderError("bad_request", "maximum context length is 3000 tokens");
    const talker = talking((_, at) => (at === 5 ? { chunks: "", error } : `So. ${words(200)}<end>`), {
      history: compaction(),
    });
    for (let turn = 0; turn < 6; turn++) await talker.ask(words(200), { conversation });
    await compactNow(talker.store, key, { provider: talker.provider });
    for (let turn = 0; turn < 8; turn++) await talker.ask(words(200), { conversation });
    expect(talker.summaries().length).toBeGreaterThan(2);
  });
});
