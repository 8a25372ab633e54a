import { describe, expect, it } from "vitest";
import { cpuTick, cpuTime } from "./cpu-time.ts";

describe("cpuTime", () => {
  it("increases while the thread works and not while it waits", async () => {
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
  it("is more than zero and at most a timer's tick", () => {
    expect(cpuTick()).toBeGreaterThan(0);
    expect(cpuTick()).toBeLessThanOrEqual(20);
  });
});
