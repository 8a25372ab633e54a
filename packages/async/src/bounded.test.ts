import { describe, expect, it, vi } from "vitest";
import { createAbortScope } from "./abort-scope.ts";
import { bounded } from "./bounded.ts";

const never = () => new Promise<never>(() => {});
const bounds = { timeout: 1000, grace: 50 };

describe("bounded", () => {
  it("distinguishes a value from an error, also from one that is thrown before there is a promise", async () => {
    const scope = createAbortScope();
    const error = new Error("no");
    const fail = () => {
      throw error;
    };
    expect(await bounded(() => 1, { ...bounds, scope })).toEqual({ end: "fulfilled", value: 1 });
    expect(await bounded(fail, { ...bounds, scope })).toEqual({ end: "rejected", error });
    expect(await bounded(() => Promise.reject(error), { ...bounds, scope })).toEqual({ end: "rejected", error });
  });

  it("leaves no timer and no listener behind", async () => {
    vi.useFakeTimers();
    try {
      const scope = createAbortScope();
      await bounded(() => 1, { ...bounds, scope });
      expect(vi.getTimerCount()).toBe(0);
      scope.abort("late");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("asks the work to stop once, for the reason that came first", async () => {
    const asked: string[] = [];
    const scope = createAbortScope();
    const stop = (end: string) => {
      asked.push(end);
      scope.abort("too late");
    };
    const settlement = await bounded(never, { scope, timeout: 1, grace: 5, stop });
    expect([settlement, asked]).toEqual([{ end: "timeout", work: "pending" }, ["timeout"]]);
  });

  it("returns whether the work ended in its grace", async () => {
    const scope = createAbortScope();
    const stopping = Promise.withResolvers<number>();
    const ending = bounded(() => stopping.promise, { ...bounds, scope, stop: () => stopping.resolve(1) });
    scope.abort("enough");
    expect(await ending).toEqual({ end: "aborted", work: "fulfilled" });
  });

  it("returns what the work rejected with in its grace", async () => {
    const scope = createAbortScope();
    const stopping = Promise.withResolvers<number>();
    const error = new Error("half done");
    const ending = bounded(() => stopping.promise, { ...bounds, scope, stop: () => stopping.reject(error) });
    scope.abort("enough");
    expect(await ending).toEqual({ end: "aborted", work: "rejected", error });
  });

  it("does not expire at once with a limit that is longer than a timer can be", async () => {
    const scope = createAbortScope();
    const later = () => new Promise((resolve) => setTimeout(() => resolve("done"), 5));
    const patient = { scope, timeout: 2 ** 31, grace: 1 };
    expect(await bounded(later, patient)).toEqual({ end: "fulfilled", value: "done" });
  });
});
