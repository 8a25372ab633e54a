import type { LogEvent } from "@cogency/protocol";
import { memoryStore, type Store, StoreError } from "@cogency/storage";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConversationLog } from "./conversation-log.ts";
import type { RunLease } from "./run-lease.ts";

const key = { conversation: "c" };
const said = (content: string): LogEvent => ({ type: "user", content, timestamp: 1 });
/** An event that every store refuses. */
const invalid = { type: "user", content: 7, timestamp: 1 } as unknown as LogEvent;
const noLease: RunLease = { current: undefined, take: async () => {}, release: async () => {} };

/** A log, and the appends and loads that its store was asked for. */
function logOf(change: (inner: Store) => Partial<Store> = () => ({})) {
  const inner = memoryStore();
  const changed: Store = { ...inner, ...change(inner) };
  const appends: string[][] = [];
  const loads: unknown[] = [];
  const store: Store = {
    ...changed,
    append(of, events, options) {
      appends.push(events.map((event) => ("content" in event ? String(event.content) : event.type)));
      return changed.append(of, events, options);
    },
    load(of, options) {
      loads.push(options);
      return changed.load(of, options);
    },
  };
  const log = new ConversationLog(store, key, noLease, new AbortController().signal);
  const stored = async () => (await inner.load(key)).map((event) => ("content" in event ? event.content : event.type));
  return { log, appends, loads, stored };
}

describe("the appends of a log", () => {
  it("that are requested at one moment are one append, in the order of their requests", async () => {
    const { log, appends, stored } = logOf();
    await Promise.all([log.append([said("a"), said("b")]), log.append([said("c")]), log.append([said("d")])]);
    expect(appends).toEqual([["a", "b", "c", "d"]]);
    expect(await stored()).toEqual(["a", "b", "c", "d"]);
  });

  it("that are requested while the store is busy are one append after it", async () => {
    const { log, appends } = logOf();
    const first = log.append([said("a")]);
    await Promise.resolve();
    await Promise.resolve();
    const more = [log.append([said("b")]), log.append([said("c")])];
    await Promise.all([first, ...more]);
    expect(appends).toEqual([["a"], ["b", "c"]]);
  });

  it("that may wait are stored with the next one, in order, however many turns of promises it takes to come", async () => {
    const { log, appends } = logOf();
    const soon = [log.appendSoon([said("a")]), log.appendSoon([said("b")])];
    for (let turns = 0; turns < 100; turns++) await Promise.resolve();
    expect(appends).toEqual([]);
    await Promise.all([...soon, log.append([said("c")])]);
    expect(appends).toEqual([["a", "b", "c"]]);
  });

  it("that may wait are stored by themselves if none follows, before a load, and before the log is closed", async () => {
    const alone = logOf();
    await alone.log.appendSoon([said("a")]);
    expect(alone.appends).toEqual([["a"]]);

    const loaded = logOf();
    loaded.log.appendSoon([said("a")]);
    expect(await loaded.log.load()).toMatchObject([{ content: "a" }]);

    const closed = logOf();
    closed.log.appendSoon([said("a")]);
    await closed.log.close();
    expect(closed.appends).toEqual([["a"]]);
  });

  it("fail after one has failed that nobody waited for", async () => {
    let isFull = true;
    const { log, stored } = logOf((inner) => ({
      append: (...given) => (isFull ? Promise.reject(new StoreError("full", "No room.")) : inner.append(...given)),
    }));
    log.appendSoon([said("lost")]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    isFull = false;
    await expect(log.append([said("after it")])).rejects.toMatchObject({ code: "store", message: "No room." });
    expect(await stored()).toEqual([]);
  });

  it("that are requested one after the other are an append each", async () => {
    const { log, appends } = logOf();
    await log.append([said("a")]);
    await log.append([said("b")]);
    expect(appends).toEqual([["a"], ["b"]]);
  });

  it("that are requested after a load do not join those before it", async () => {
    const { log, appends } = logOf();
    const first = log.append([said("a")]);
    const loading = log.load();
    const second = log.append([said("b")]);
    // The array of a load grows at the next one.
    const seen = (await loading).length;
    await Promise.all([first, second]);
    expect([appends, seen]).toEqual([[["a"], ["b"]], 1]);
  });

  it("of nothing ask for nothing", async () => {
    const { log, appends } = logOf();
    await log.append([]);
    expect(appends).toEqual([]);
  });

  it("fail alone for an invalid event; the ones beside them are stored", async () => {
    const { log, stored } = logOf();
    const given = await Promise.allSettled([
      log.append([said("a")]),
      log.append([said("b"), invalid]),
      log.append([said("c")]),
    ]);
    expect(given).toMatchObject([
      { status: "fulfilled" },
      { reason: { code: "store", cause: { code: "invalid_event" } } },
      { status: "fulfilled" },
    ]);
    expect(await stored()).toEqual(["a", "c"]);
    await log.append([said("d")]);
    expect(await stored()).toEqual(["a", "c", "d"]);
  });

  it("fail together if the store is full", async () => {
    const { log } = logOf(() => ({ append: () => Promise.reject(new StoreError("full", "No room.")) }));
    const given = await Promise.allSettled([log.append([said("a")]), log.append([said("b")])]);
    expect(given).toMatchObject([{ reason: { code: "store" } }, { reason: { code: "store" } }]);
  });

  it("all fail after another writer has written", async () => {
    const { log, appends, stored } = logOf((inner) => ({
      append: async (of, events, options) => {
        if (options?.expected === 1) await inner.append(of, [said("other")]);
        return inner.append(of, events, options);
      },
    }));
    await log.load();
    await log.append([said("a")]);
    const [lost, ...later] = await Promise.allSettled([log.append([said("b")]), log.append([said("c")])]);
    expect([lost, ...later]).toMatchObject([{ reason: { cause: { code: "conflict" } } }, { status: "rejected" }]);
    await expect(log.append([said("d")])).rejects.toMatchObject({ cause: { code: "conflict" } });
    expect(await stored()).toEqual(["a", "other"]);
    expect(appends).toHaveLength(2);
  });

  it("store every valid append whole, in the order of the requests, whenever they are requested", async () => {
    const append = fc.record({
      events: fc.array(fc.constantFrom("valid", "valid", "valid", "invalid"), { minLength: 1, maxLength: 3 }),
      /** How many promises are waited for before it. */
      wait: fc.nat(4),
      loads: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(append, { maxLength: 10 }), async (plan) => {
        const { log, stored } = logOf();
        const expected: string[] = [];
        const given: Promise<boolean>[] = [];
        for (const [index, { events, wait, loads }] of plan.entries()) {
          for (let turn = 0; turn < wait; turn++) await Promise.resolve();
          if (loads) void log.load();
          const names = events.map((_, nth) => `${index}.${nth}`);
          const isValid = !events.includes("invalid");
          if (isValid) expected.push(...names);
          const asked = log.append(events.map((kind, nth) => (kind === "valid" ? said(names[nth] ?? "") : invalid)));
          given.push(
            asked.then(
              () => isValid,
              () => !isValid,
            ),
          );
        }
        expect(await Promise.all(given)).toEqual(plan.map(() => true));
        expect(await stored()).toEqual(expected);
        expect((await log.load()).map((event) => ("content" in event ? event.content : ""))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the loads of a log", () => {
  it("read the whole log once, and then only what was appended", async () => {
    const { log, loads } = logOf();
    await log.load();
    await log.append([said("a"), said("b")]);
    expect(await log.load()).toHaveLength(2);
    await log.append([said("c")]);
    expect(await log.load()).toHaveLength(3);
    expect(loads).toEqual([{}, {}, { after: 2 }]);
  });

  it("ask for nothing if nothing was appended", async () => {
    const { log, loads } = logOf();
    await log.append([said("a")]);
    await log.load();
    await log.load();
    expect(loads).toHaveLength(1);
  });

  it("give the events as the store returns them", async () => {
    const { log } = logOf((inner) => ({
      load: async (...given) =>
        (await inner.load(...given)).map((event) => ({ ...event, content: "[redacted]" }) as never),
    }));
    await log.load();
    await log.append([said("secret")]);
    expect(await log.load()).toMatchObject([{ content: "[redacted]", seq: 1 }]);
    expect(log.messages("json")).toMatchObject([{ role: "user", content: "[redacted]" }]);
  });
});
