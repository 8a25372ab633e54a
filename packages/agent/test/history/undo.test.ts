import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { compaction, undoCompaction } from "../../src/history.ts";
import { conversation } from "../support/fixtures.ts";
import { summariesIn, talking, words } from "./support.ts";

const window = 4000;

async function compacted(turns: number) {
  let count = 0;
  const talker = talking(
    (_, at) => `Answer ${at}. ${words(200)}<end>`,
    { history: compaction({ window }) },
    () => `Summary ${++count}.`,
  );
  for (let turn = 0; turn < turns; turn++) await talker.ask(`Question ${turn}. ${words(200)}`, { conversation });
  /** What a model reads that is asked next. */
  const shown = async () => {
    const reader = talking(() => "So.<end>", { store: talker.store });
    await reader.ask("And?", { conversation });
    return reader.steps()[0]?.messages ?? [];
  };
  return { ...talker, shown };
}

describe("undoCompaction", () => {
  it("shows again what the summary stood for", async () => {
    const { store, shown } = await compacted(9);
    expect(await undoCompaction(store, { conversation })).toBe(true);
    const messages = await shown();
    expect(messages).toHaveLength(19);
    expect(messages[0]).toMatchObject({ content: expect.stringMatching(/^Question 0/) });
  });

  it("goes back one compaction at a time", async () => {
    const { store, log, shown } = await compacted(20);
    const made = summariesIn(await log());
    expect(made.length).toBeGreaterThan(2);
    for (const left of made.slice(0, -1).reverse()) {
      expect(await undoCompaction(store, { conversation })).toBe(true);
      expect(summariesIn(await log()).at(-1)).toEqual(left);
    }
    expect(await undoCompaction(store, { conversation })).toBe(true);
    expect((await shown())[0]).toMatchObject({ content: expect.stringMatching(/^Question 0/) });
    expect(await undoCompaction(store, { conversation })).toBe(false);
  });

  it("can be followed by another compaction, which can be undone as well", async () => {
    const talker = await compacted(9);
    await undoCompaction(talker.store, { conversation });
    await talker.ask("Once more?", { conversation });
    expect(talker.summaries()).toHaveLength(2);
    expect(await undoCompaction(talker.store, { conversation })).toBe(true);
    expect(await undoCompaction(talker.store, { conversation })).toBe(false);
  });

  it("does nothing where nothing was summed up", async () => {
    const store = memoryStore();
    expect(await undoCompaction(store, { conversation })).toBe(false);
    expect(await store.load({ conversation })).toEqual([]);
  });

  it("is refused while a run holds the conversation, and gives its lease back", async () => {
    const { store, log } = await compacted(9);
    const before = await log();
    const lease = await store.lease({ conversation }, { owner: "another run", ttl: 30_000 });
    await expect(undoCompaction(store, { conversation })).rejects.toThrow("another run");
    expect(await log()).toEqual(before);
    await lease.release();
    await undoCompaction(store, { conversation });
    await expect(store.lease({ conversation }, { owner: "the next", ttl: 30_000 })).resolves.toBeDefined();
  });
});
