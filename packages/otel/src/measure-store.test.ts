import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { metering } from "../test/support/metering.ts";
import { measureStore } from "./index.ts";

describe("measureStore", () => {
  it("observes what a scope has to do when the metrics are collected", async () => {
    const { meter, collect } = metering();
    const memory = memoryStore();
    let asked = 0;
    const store: typeof memory = {
      ...memory,
      queue(options) {
        asked++;
        return memory.queue(options);
      },
    };
    const end = measureStore(store, { meter, scope: "shop" });
    const observed = async () => {
      const metrics = await collect();
      return ["due", "claimed", "parked", "oldest"].map(
        (name) => metrics.get(`cogency.queue.${name}`)?.points[0]?.value,
      );
    };
    expect(await observed()).toEqual([0, 0, 0, 0]);
    const past = Date.now() - 60_000;
    for (const conversation of ["a", "b", "c"]) {
      await store.wake({ conversation }, { id: "timer", at: past, scope: "shop" });
    }
    await store.wake({ conversation: "other" }, { id: "timer", at: past });
    const [due, claimed, parked, oldest] = await observed();
    expect([due, claimed, parked]).toEqual([3, 0, 0]);
    expect(oldest).toBeGreaterThanOrEqual(60);
    expect(oldest).toBeLessThan(600);
    const [first] = await store.claim({ owner: "w", limit: 2, ttl: 60_000, scope: "shop" });
    if (first) await store.park(first, "It kills workers.");
    expect((await observed()).slice(0, 3)).toEqual([1, 1, 1]);
    expect((await collect()).get("cogency.queue.oldest")).toMatchObject({
      unit: "s",
      points: [{ attributes: { "cogency.scope": "shop" } }],
    });
    const before = asked;
    end();
    await collect();
    expect(asked).toBe(before);
  });

  it("asks a store that hangs once, and leaves an error to the collector", async () => {
    const { meter, collect, errors } = metering();
    let asked = 0;
    const hang = () => {
      asked++;
      return new Promise<never>(() => {});
    };
    const end = measureStore({ queue: hang }, { meter });
    for (let collection = 0; collection < 2; collection++) {
      await collect();
      expect(errors()).toHaveLength(1);
    }
    expect(asked).toBe(1);
    end();
    measureStore({ queue: () => Promise.reject(new Error("no store")) }, { meter });
    expect((await collect()).get("cogency.queue.due")?.points ?? []).toEqual([]);
    expect(errors()).toEqual([expect.objectContaining({ message: "no store" })]);
  });
});
