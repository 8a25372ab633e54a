import { setTimeout as delay } from "node:timers/promises";
import type { LogEvent } from "@cogency/protocol";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { ConversationLog } from "./conversation-log.ts";
import type { RunLease } from "./run-lease.ts";

const key = { conversation: "c" };
const lease: RunLease = { current: undefined, take: async () => {}, release: async () => {} };

const text = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });

function opened(store: Store, signal: AbortSignal = new AbortController().signal) {
  return new ConversationLog(store, key, lease, signal);
}

/** A store in memory that takes 5 ms, and how many requests it had at once. */
function slowStore() {
  const inner = memoryStore();
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
    append: (...given) => alone(() => inner.append(...given)),
  };
  return { store, atOnce: () => most };
}

describe("the requests of a log", () => {
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

  it("stores what goes with the next append before its events, in one append, and waits until it is known", async () => {
    const store = memoryStore();
    const appends: string[][] = [];
    const noting: Store = {
      ...store,
      append(key, events, options) {
        appends.push(events.map((event) => ("content" in event ? event.content : event.type)));
        return store.append(key, events, options);
      },
    };
    const log = opened(noting);
    log.appendWithNext(delay(5, text("first")));
    await log.load();
    await delay(5);
    expect(appends).toEqual([]);
    const stored = log.append([text("a")]);
    log.appendWithNext(delay(5, text("second")));
    await Promise.all([stored, log.append([text("b")])]);
    expect(appends).toEqual([["first", "a", "second", "b"]]);
    log.appendWithNext(Promise.resolve(text("left out")));
    await log.close();
    expect(appends).toHaveLength(1);
  });

  it("leaves out what goes with the next append if the store refuses it as invalid", async () => {
    const store = memoryStore();
    const log = opened(store);
    log.appendWithNext(Promise.resolve({ ...text("bad"), timestamp: Number.NaN }));
    await log.append([text("a")]);
    expect(await log.load()).toMatchObject([text("a")]);
  });
});
