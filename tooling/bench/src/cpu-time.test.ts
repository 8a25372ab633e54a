import { describe, expect, it } from "vitest";
import { cpuTick, cpuTime } from "./cpu-time.ts";

describe("cpuTime", () => {
  it("moves with work and stands still while the thread waits", async () => {
    const before = cpuTime();
    let sum = 0;
    for (let i = 0; i < 30_000_000; i++) sum = (sum * 31 + i) | 0;
    const worked = cpuTime() - before;
    expect(sum).toBeTypeOf("number");
    expect(worked).toBeGreaterThan(0);

    const waiting = performance.now();
    const start = cpuTime();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(cpuTime() - start).toBeLessThan(performance.now() - waiting);
  });
});

describe("cpuTick", () => {
  it("is a step of the clock: more than nothing, and no more than a timer's tick", () => {
    expect(cpuTick()).toBeGreaterThan(0);
    expect(cpuTick()).toBeLessThanOrEqual(20);
  });
});
