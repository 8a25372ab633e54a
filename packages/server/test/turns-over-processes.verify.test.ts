import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@cogency/agent";
import { memoryStore, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createWorker } from "@cogency/worker";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { TurnItem } from "../src/bridge/index.ts";
import { all, bridged, gate, hers, overs, prompt, replies } from "./support/bridged.ts";
import { call } from "./support/site.ts";
import { free, isStarted, last, notice, over } from "./support/turn-events.ts";

describe("a turn over several processes", () => {
  it("is read to its end by each of two bridges on one store", async () => {
    const store = memoryStore();
    const [one, two] = [bridged({ store, steps: ["Hello!<end>"] }), bridged({ store, steps: ["Hello!<end>"] })];
    const both = await Promise.all([one.turn([prompt("1")]), two.turn([prompt("1")])]);
    for (const items of both) {
      expect(replies(items)).toEqual(["Hello!"]);
      expect(overs(items)).toEqual([{ status: "completed" }]);
    }
  });

  it("ends beside a worker, whichever of the two goes on", async () => {
    const store = memoryStore();
    const bridge = bridged({ store, steps: ["Hello!<end>", "Hello!<end>", "Hello!<end>"] });
    const worker = createWorker({ agent: bridge.agent, store });
    await worker.start();
    onTestFinished(() => worker.drain());
    for (const id of ["1", "2", "3"]) {
      const after = (await store.load(hers)).length;
      const items = await bridge.turn([prompt(id)], after);
      expect(replies(items)).toEqual(["Hello!"]);
      expect(overs(items)).toEqual([{ status: "completed" }]);
    }
    expect(bridge.errors).toEqual([]);
  });

  it("waits for a worker that tries again, and does not try before it", async () => {
    const inner = memoryStore();
    let looks = 0;
    const store: Store = { ...inner, inbox: (key) => inner.inbox(key).finally(() => looks++) };
    const { visit } = bridged({ store, steps: ["Never.<end>"] });
    const worker = bridged({ store: inner, steps: ["Hello!<end>"] });
    const later = Date.now() / 1000 + 3600;
    await inner.append(hers, [{ type: "user", content: "hi", timestamp: 1 }, notice({ retryAt: later })]);
    const items: TurnItem[] = [];
    const following = visit(async (one) => {
      for await (const item of one.turn(hers, { after: 0 })) items.push(item);
    });
    // The first, and one in each second in which nothing comes.
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(2);
    expect(items).toHaveLength(2);
    await worker.agent.recover(hers).result;
    await following;
    expect(replies(items)).toEqual(["Hello!"]);
    expect(last(items)).toEqual(over({ status: "completed" }));
  });

  it("is read through another store object on the same file, with its pieces", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bridge-"));
    const path = join(folder, "store.db");
    const [here, there] = [await sqliteStore({ path }), await sqliteStore({ path })];
    onTestFinished(async () => {
      await Promise.all([here.close(), there.close()]);
      await rm(folder, { recursive: true });
    });
    const { opened, open } = gate();
    const slow = defineTool({ name: "slow", description: "Waits.", input: { type: "object" }, execute: () => opened });
    const answer = { chunks: ["First", ", in", " pieces.<end>"], delay: 300 };
    const working = bridged({
      store: here,
      steps: ['<execute>[{"name":"slow","args":{}}]</execute>', answer],
      tools: [slow],
    });
    const reading = bridged({ store: there });
    await working.visit((one) => one.post(hers, [prompt("1")]));
    const items: TurnItem[] = [];
    const other = reading.visit(async (one) => {
      for await (const item of one.turn(hers, { after: 0, ids: ["1"] })) items.push(item);
    });
    await expect
      .poll(() => items.some((item) => item.type === "event" && isStarted(item.event)), { timeout: 20_000 })
      .toBe(true);
    open();
    await other;
    expect(replies(items)).toEqual(["First, in pieces."]);
    expect(items.some(({ type }) => type === "pieces")).toBe(true);
    expect(overs(items)).toEqual([{ status: "completed" }]);
    expect(reading.errors).toEqual([]);
  });

  it("leaves no timer and no iteration behind where it is left in the middle", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { visit, store } = bridged();
    await store.append(hers, [
      { type: "user", content: "hi", timestamp: 1 },
      notice({ retryAt: Date.now() / 1000 + 60 }),
    ]);
    await visit(async (one) => {
      for await (const item of one.turn(hers, { after: 0 })) {
        expect(item.type).toBe("event");
        break;
      }
    });
    expect(vi.getTimerCount()).toBe(0);
    expect(store.live.publisher(hers, () => []).isFollowed).toBe(false);
  });

  it("does not end as the run before it did, where a run elsewhere goes on with its prompt", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore();
    const { opened, open } = gate();
    const here = bridged({ store, steps: [call], agent: { budget: { steps: 1 }, tools: [free("write")] } });
    const steps = ['<execute>[{"name":"slow","args":{}}]</execute>', "Done.<end>"];
    const slow = defineTool({ name: "slow", description: "Waits.", input: { type: "object" }, execute: () => opened });
    const there = bridged({ store, steps, agent: { tools: [slow] } });
    const ids = ["1", "2"];
    // The clock stands: this process does not go on by itself with what its run leaves.
    await here.visit((one) =>
      one.post(
        hers,
        ids.map((id) => prompt(id)),
      ),
    );
    let items: TurnItem[] | undefined;
    const reading = here
      .visit((one) => all(one.turn(hers, { after: 0, ids })))
      .then((read) => {
        items = read;
      });
    while (!(await store.load(hers)).some((event) => event.type === "record" && event.kind === "run"))
      await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    const elsewhere = there.agent.recover(hers).result;
    while ((await store.load(hers)).filter(isStarted).length < 2) await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(items).toBeUndefined();
    open();
    await Promise.all([elsewhere, reading]);
    expect(replies(items ?? [])).toEqual(["Done."]);
    expect(items?.at(-1)).toEqual(over({ status: "completed" }));
  });

  it("asks less and less often for a conversation that a run elsewhere holds, and goes on when that one leaves it", async () => {
    const inner = memoryStore();
    let asked = 0;
    const store: Store = { ...inner, lease: (...given) => inner.lease(...given).finally(() => asked++) };
    const lease = await inner.lease(hers, { owner: "another", ttl: 600_000 });
    const { visit } = bridged({ store, steps: ["Hello!<end>"] });
    await visit((one) => one.post(hers, [prompt("1")]));
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let items: TurnItem[] | undefined;
    void visit((one) => all(one.turn(hers, { after: 0, ids: ["1"] }))).then((read) => {
      items = read;
    });
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        await vi.advanceTimersByTimeAsync(1000);
        // Signatures are made outside of the clock.
        await new Promise(setImmediate);
      }
    };
    await pass(60);
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(15);
    await lease.release();
    while (!items) await pass(1);
    expect(overs(items)).toEqual([{ status: "completed" }]);
  });

  it("goes on where the process that was at work has died", async () => {
    const store = memoryStore();
    const { visit } = bridged({ store, steps: ["Hello!<end>"] });
    await store.append(hers, [{ type: "user", content: "hi", timestamp: 1 }]);
    await store.lease(hers, { owner: "dead", ttl: 1500 });
    const items = await visit((one) => all(one.turn(hers, { after: 0 })));
    expect(replies(items)).toEqual(["Hello!"]);
    expect(overs(items)).toEqual([{ status: "completed" }]);
  });

  it("goes on with its message where the process has died that held the conversation", async () => {
    const store = memoryStore();
    const { turn, errors } = bridged({ store, steps: ["Hello!<end>"] });
    await store.lease(hers, { owner: "dead", ttl: 1500 });
    const items = await turn([prompt("1")]);
    expect(replies(items)).toEqual(["Hello!"]);
    expect(overs(items)).toEqual([{ status: "completed" }]);
    expect(errors).toEqual([]);
  });
});
