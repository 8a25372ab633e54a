import { describe, expect, it } from "vitest";
import { createSlots } from "./slots.ts";

describe("createSlots", () => {
  const { signal } = new AbortController();

  it("runs no more than so much at a time, in the order in which it came, and goes on after failures", async () => {
    const inSlot = createSlots(2);
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
    const settled = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((name) => inSlot(signal, work(name))));
    expect(settled.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, false, true, false]);
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
    expect(most).toBe(2);
  });

  it("lets go of what is aborted while it waits, and the next takes its place", async () => {
    const inSlot = createSlots(1);
    const first = Promise.withResolvers<void>();
    const holding = inSlot(signal, () => first.promise);
    const controller = new AbortController();
    const waiting = inSlot(controller.signal, async () => "never");
    const next = inSlot(signal, async () => "next");
    controller.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    first.resolve();
    await holding;
    expect(await next).toBe("next");
  });
});
