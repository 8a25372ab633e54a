import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StoreError } from "../errors.ts";
import { memoryStore } from "../memory/memory-store.ts";
import type { Renewal, Store } from "../store.ts";
import { keepLeases } from "./keep-leases.ts";

const ttl = 30_000;

/** A store that records which leases it is asked to renew, and when. */
function recorded(answer: (tokens: number[]) => Promise<Renewal> = async (renewed) => ({ renewed, lost: [] })) {
  const start = performance.now();
  const calls: { at: number; tokens: number[] }[] = [];
  const renew: Store["renew"] = async (leases) => {
    const tokens = leases.map(({ token }) => token);
    calls.push({ at: performance.now() - start, tokens });
    return answer(tokens);
  };
  return { store: { renew }, calls };
}

describe("keepLeases", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("renews a lease at each third of its `ttl`, until it is no longer kept", async () => {
    const { store, calls } = recorded();
    const stop = keepLeases(store).add({ token: 1, ttl });
    await vi.advanceTimersByTimeAsync(35_000);
    expect(calls).toEqual([10_000, 20_000, 30_000].map((at) => ({ at, tokens: [1] })));
    stop();
    stop();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(calls.length).toBe(3);
  });

  it("renews leases of many moments and times with few calls, and each of them in time", async () => {
    const { store, calls } = recorded();
    const last = new Map<number, number>();
    for (let token = 0; token < 1_000; token++) {
      keepLeases(store).add({ token, ttl: token % 10 === 0 ? 2 * ttl : ttl });
      last.set(token, token * 30);
      await vi.advanceTimersByTimeAsync(30);
    }
    await vi.advanceTimersByTimeAsync(600_000);
    for (const { at, tokens } of calls) {
      for (const token of tokens) {
        expect(at - (last.get(token) ?? 0)).toBeLessThanOrEqual(token % 10 === 0 ? 20_002 : 10_001);
        last.set(token, at);
      }
    }
    expect(calls.length).toBeLessThan((630_000 / ttl) * 7);
  });

  it("has one timer, which does not keep the process alive", () => {
    const { store } = recorded();
    const timers = vi.getTimerCount();
    for (let token = 0; token < 10_000; token++) keepLeases(store).add({ token, ttl });
    expect(vi.getTimerCount() - timers).toBe(1);
    vi.useRealTimers();
    const before = process.getActiveResourcesInfo();
    const stop = keepLeases(recorded().store).add({ token: 1, ttl });
    expect(process.getActiveResourcesInfo()).toEqual(before);
    stop();
  });

  it("tries a renewal that failed or was not possible again, long before the lease expires", async () => {
    let answer: () => Promise<Renewal> = async () => ({ renewed: [2], lost: [] });
    const { store, calls } = recorded(() => answer());
    keepLeases(store).add({ token: 1, ttl });
    keepLeases(store).add({ token: 2, ttl });
    await vi.advanceTimersByTimeAsync(13_000);
    expect(calls.map(({ at, tokens }) => [at, tokens])).toEqual([
      [10_000, [1, 2]],
      [12_500, [1]],
    ]);
    answer = () => Promise.reject(new StoreError("unavailable", "The store is away."));
    await vi.advanceTimersByTimeAsync(17_000);
    expect(calls.slice(2).map(({ at }) => at)).toEqual([15_000, 17_500, 20_000, 22_500, 25_000, 27_500, 30_000]);
    answer = async () => ({ renewed: [1, 2], lost: [] });
    calls.length = 0;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(calls.map(({ at }) => at)).toEqual([32_500, 42_500, 52_500]);
  });

  it("does not wait for a renewal that hangs", async () => {
    let isHanging = true;
    const { store, calls } = recorded((renewed) =>
      isHanging ? new Promise(() => {}) : Promise.resolve({ renewed, lost: [] }),
    );
    keepLeases(store).add({ token: 1, ttl });
    await vi.advanceTimersByTimeAsync(15_000);
    isHanging = false;
    keepLeases(store).add({ token: 2, ttl });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(calls.map(({ at, tokens }) => [at, tokens])).toEqual([
      [10_000, [1]],
      [20_000, [1, 2]],
      [30_000, [1, 2]],
    ]);
  });

  it("no longer renews a lease that the store names as lost", async () => {
    const { store, calls } = recorded(async (tokens) => ({ renewed: tokens.filter((one) => one !== 1), lost: [1] }));
    const stop = keepLeases(store).add({ token: 1, ttl });
    keepLeases(store).add({ token: 2, ttl });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(calls.map(({ tokens }) => tokens)).toEqual([[1, 2], [2]]);
    stop();
  });

  it("keeps a lease that was added twice until it was taken out twice", async () => {
    const { store, calls } = recorded();
    const stops = [keepLeases(store).add({ token: 1, ttl }), keepLeases(store).add({ token: 1, ttl })];
    stops[0]?.();
    stops[0]?.();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls.length).toBe(1);
    stops[1]?.();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(calls.length).toBe(1);
  });

  it("ends when the store is closed", async () => {
    const { store, calls } = recorded(() => Promise.reject(new StoreError("closed", "The store was closed.")));
    keepLeases(store).add({ token: 1, ttl });
    await vi.advanceTimersByTimeAsync(100_000);
    expect(calls.length).toBe(1);
  });

  it("loses a lease only by its time while the store cannot be reached", async () => {
    const inner = memoryStore();
    const lease = await inner.lease({ conversation: "c" }, { owner: "one", ttl });
    const { lost } = lease;
    keepLeases({ renew: () => Promise.reject(new StoreError("unavailable", "The store is away.")) }).add(lease);
    await vi.advanceTimersByTimeAsync(0.99 * ttl);
    expect(lost.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(0.01 * ttl);
    expect(lost.aborted).toBe(true);
  });
});
