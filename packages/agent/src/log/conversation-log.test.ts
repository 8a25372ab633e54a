import { setTimeout as delay } from "node:timers/promises";
import type { LogEvent } from "@cogency/protocol";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { openLog } from "./conversation-log.ts";
import type { RunLease } from "./run-lease.ts";

const key = { conversation: "c" };
const lease: RunLease = { current: undefined, take: async () => {}, release: async () => {} };

const text = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });

function opened(store: Store, signal: AbortSignal = new AbortController().signal) {
  return openLog(store, key, lease, signal);
}

/** A store in memory that takes 5 ms, and the sizes of its appends. */
function slowStore() {
  const inner = memoryStore();
  const appends: number[] = [];
  let working = 0;
  let most = 0;
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    most = Math.max(most, ++working);
    await delay(5);
    return work().finally(() => working--);
  };
  const store: Store = {
    ...inner,
    load: (...given) => alone(() => inner.load(...given)),
    append(...given) {
      appends.push(given[1].length);
      return alone(() => inner.append(...given));
    },
  };
  return { store, appends, atOnce: () => most };
}

describe("the log of a conversation", () => {
  it("stores appends of one moment as one, in the order of their requests", async () => {
    const { store, appends } = slowStore();
    const log = opened(store);
    await log.load();
    await Promise.all(["a", "b", "c"].map((content) => log.append([text(content)])));
    expect(appends).toEqual([3]);
    expect(await store.load(key)).toMatchObject([{ content: "a" }, { content: "b" }, { content: "c" }]);
  });

  it("does not load what was appended after the load was requested", async () => {
    const { store, appends } = slowStore();
    const log = opened(store);
    await log.load();
    const first = log.append([text("a")]);
    const loading = log.load();
    const second = log.append([text("b")]);
    expect(await loading).toMatchObject([{ content: "a" }]);
    await Promise.all([first, second]);
    expect(appends).toEqual([1, 1]);
    expect(await log.load()).toMatchObject([{ content: "a" }, { content: "b" }]);
  });

  it("asks the store one thing at a time", async () => {
    const { store, atOnce } = slowStore();
    const log = opened(store);
    await Promise.all([log.load(), log.append([text("a")]), log.load(), log.append([text("b")]), log.load()]);
    expect(atOnce()).toBe(1);
  });

  it("leaves no timer behind when the store answers after an abort", async () => {
    const log = opened(memoryStore(), AbortSignal.abort());
    const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    await log.append([text("a")]);
    expect(process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length).toBe(before);
  });
});
