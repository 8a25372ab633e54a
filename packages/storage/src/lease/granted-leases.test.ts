import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LeaseLostError } from "../errors.ts";
import { type ExtensionAnswer, grantedLeases } from "./granted-leases.ts";

/** Leases of an adapter that extends as the test says. The clock of the store stands at 0 when time 0 is the present. */
function leased(extend: () => ExtensionAnswer | Promise<ExtensionAnswer> = () => never()) {
  const book = grantedLeases({ refuseIfClosed: () => {}, extend, release: () => {} });
  let token = 0;
  const grant = (ttl: number, name = "key") =>
    book.add(name, { owner: "one", ttl }, { token: ++token, expiresAt: Date.now() + ttl, askedAt: performance.now() });
  return { book, grant };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

describe("grantedLeases", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("has one timer for ten thousand leases", async () => {
    const { grant } = leased();
    const timers = vi.getTimerCount();
    const leases = Array.from({ length: 10_000 }, () => grant(30_000));
    for (const lease of leases) void lease.lost;
    expect(vi.getTimerCount() - timers).toBe(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(leases.every(({ lost }) => lost.aborted)).toBe(true);
  });

  it("does not keep the process alive", () => {
    vi.useRealTimers();
    const before = process.getActiveResourcesInfo();
    const { lost } = leased().grant(30_000);
    expect(process.getActiveResourcesInfo()).toEqual(before);
    expect(lost.aborted).toBe(false);
  });

  it("makes an AbortController for a lease when `lost` is read first", async () => {
    const { grant } = leased();
    const made = vi.fn();
    vi.stubGlobal(
      "AbortController",
      class extends AbortController {
        constructor() {
          super();
          made();
        }
      },
    );
    const lease = grant(1_000);
    grant(1_000);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(made).not.toHaveBeenCalled();
    expect(lease.lost).toMatchObject({ aborted: true, reason: new LeaseLostError(1) });
    expect(lease.lost).toBe(lease.lost);
    expect(made).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });

  it("aborts each lease at its own time, a little before the end that the store knows", async () => {
    const { grant } = leased();
    const ends = new Map<number, number>();
    for (const ttl of [5_000, 1_000, 3_000, 60]) {
      grant(ttl).lost.addEventListener("abort", () => ends.set(ttl, performance.now()));
    }
    const start = performance.now();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([...ends.keys()]).toEqual([60, 1_000, 3_000, 5_000]);
    for (const [ttl, end] of ends) {
      expect(end - start).toBeLessThanOrEqual(ttl);
      expect(end - start).toBeGreaterThan(ttl * 0.99 - 2);
    }
  });

  it("aborts a lease that lasts longer than a timer can", async () => {
    const { grant } = leased();
    const month = 30 * 24 * 3_600_000;
    const { lost } = grant(month);
    await vi.advanceTimersByTimeAsync(0.99 * month);
    expect(lost.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(0.01 * month);
    expect(lost.aborted).toBe(true);
  });

  it("counts the time from before the answer, however long the answer took", async () => {
    const slow = async () => {
      const askedAt = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 600));
      return { askedAt, ends: [Date.now() + 1_000] };
    };
    const { grant } = leased(slow);
    const lease = grant(1_000);
    const { lost } = lease;
    const renewed = lease.renew();
    await vi.advanceTimersByTimeAsync(600);
    await renewed;
    await vi.advanceTimersByTimeAsync(390);
    expect(lost.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(lost.aborted).toBe(true);
  });

  it("expects the shorter time as soon as it asks for it, because the answer may be lost", async () => {
    const { grant } = leased();
    const lease = grant(60_000);
    const { lost } = lease;
    lease.renew(1_000).catch(() => {});
    await vi.advanceTimersByTimeAsync(990);
    expect(lost.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(lost.aborted).toBe(true);
  });

  it("ignores the late answer to a renewal if a later one was answered before", async () => {
    const answers: ((value: ExtensionAnswer) => void)[] = [];
    const { grant } = leased(() => new Promise((resolve) => answers.push(resolve)));
    const lease = grant(1_000);
    const first = lease.renew();
    const askedFirst = performance.now();
    await vi.advanceTimersByTimeAsync(500);
    const second = lease.renew();
    answers[1]?.({ askedAt: performance.now(), ends: [2_000] });
    await second;
    answers[0]?.({ askedAt: askedFirst, ends: [1_000] });
    await first;
    expect(lease.expiresAt).toBe(2_000);
    await vi.advanceTimersByTimeAsync(900);
    expect(lease.lost.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(lease.lost.aborted).toBe(true);
  });

  it("renews a lease late if the store still has it and nobody has read `lost`", async () => {
    const { book, grant } = leased(() => ({ askedAt: performance.now(), ends: [9_000] }));
    const late = grant(1_000);
    await vi.advanceTimersByTimeAsync(1_500);
    await late.renew();
    expect(late.lost.aborted).toBe(false);
    const later = grant(1_000);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await book.renew([later])).toEqual({ renewed: [later.token], lost: [] });
    expect(later.lost.aborted).toBe(false);
  });

  it("cannot be renewed after `lost` has aborted, even if the store would extend it", async () => {
    const { book, grant } = leased(() => ({ askedAt: performance.now(), ends: [9_000] }));
    const lease = grant(1_000);
    const { lost } = lease;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lost.aborted).toBe(true);
    await expect(lease.renew()).rejects.toEqual(new LeaseLostError(lease.token));
    expect(await book.renew([lease])).toEqual({ renewed: [], lost: [lease.token] });
    expect(lease.lost).toBe(lost);
  });

  it("forgets a lease that nobody released or renewed", async () => {
    const { book, grant } = leased();
    const lease = grant(1_000);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await book.renew([lease])).toEqual({ renewed: [], lost: [lease.token] });
    expect(lease.lost.aborted).toBe(true);
  });

  it("does not name leases that the adapter could not extend at once", async () => {
    const { book, grant } = leased(() => ({ askedAt: performance.now(), ends: [9_000, "busy", "lost"] }));
    const leases = [grant(1_000), grant(1_000), grant(1_000)];
    expect(await book.renew(leases)).toEqual({ renewed: [1], lost: [3] });
    expect(leases.map(({ lost }) => lost.aborted)).toEqual([false, false, true]);
  });

  it("does not abort `lost` while the store is in the middle of a call", async () => {
    const { book, grant } = leased();
    const lease = grant(1_000);
    const calls: string[] = [];
    lease.lost.addEventListener("abort", () => calls.push("aborted"));
    expect(book.refused("another key", lease.token)).toEqual(new LeaseLostError(lease.token));
    expect(book.refused("key", lease.token)).toEqual(new LeaseLostError(lease.token));
    calls.push("refused");
    await Promise.resolve();
    expect(calls).toEqual(["refused", "aborted"]);
  });
});
