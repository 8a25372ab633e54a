import { describe, expect, it } from "vitest";
import { createSlots } from "./slots.ts";

describe("createSlots", () => {
  it("runs no more than its limit at a time, in the order of asking, and continues after failures", async () => {
    const slots = createSlots(2);
    let running = 0;
    let most = 0;
    const begun: number[] = [];
    const work = (name: number) => async () => {
      begun.push(name);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (name % 2 === 0) throw new Error("failed");
      return name;
    };
    const settled = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((name) => slots.run(work(name))));
    expect(settled.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, false, true, false]);
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
    expect(most).toBe(2);
  });

  it("gives a free slot at once, without a promise", () => {
    const slots = createSlots(1);
    const giveBack = slots.take();
    expect(giveBack).toBeTypeOf("function");
    expect(slots.take()).toBeInstanceOf(Promise);
  });

  it("rejects a waiter whose signal aborts, and gives the slot to the next", async () => {
    const slots = createSlots(1);
    const first = Promise.withResolvers<void>();
    const holding = slots.run(() => first.promise);
    const controllers = [new AbortController(), new AbortController()];
    const leaving = controllers.map(({ signal }) => slots.run(() => "never", signal));
    const next = slots.run(() => "next");
    for (const controller of controllers) controller.abort(new Error("left"));
    for (const left of leaving) await expect(left).rejects.toThrow("left");
    first.resolve();
    await holding;
    expect(await next).toBe("next");
  });

  it("frees a slot after all waiters have left", async () => {
    const slots = createSlots(1);
    const giveBack = await slots.take();
    const controller = new AbortController();
    const left = Promise.resolve(slots.take(controller.signal)).catch(() => "left");
    controller.abort();
    expect(await left).toBe("left");
    giveBack();
    expect(slots.take()).toBeTypeOf("function");
  });

  it("gives no slot to a signal that has aborted", async () => {
    const slots = createSlots(1);
    await expect(slots.run(() => 1, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
    expect(slots.take()).toBeTypeOf("function");
  });
});
