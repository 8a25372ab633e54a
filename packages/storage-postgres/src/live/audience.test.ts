import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createAudience, presenceInterval } from "./audience.ts";

describe("createAudience", () => {
  it("counts each store until it leaves, or has been silent for three times", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const audience = createAudience();
    expect(audience.isThere()).toBe(false);
    expect([audience.join("a"), audience.join("a"), audience.join("b")]).toEqual([true, false, true]);
    audience.leave("a");
    audience.leave("nobody");
    expect(audience.isThere()).toBe(true);
    for (const _ of [1, 2, 3]) {
      vi.advanceTimersByTime(presenceInterval);
      expect(audience.isThere()).toBe(true);
    }
    vi.advanceTimersByTime(presenceInterval);
    expect(audience.isThere()).toBe(false);
    expect(audience.join("b")).toBe(true);
    expect(audience.isThere()).toBe(true);
  });
});
