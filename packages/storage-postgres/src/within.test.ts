import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { within } from "./within.ts";

describe("within", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives up on what takes longer", async () => {
    const giveUp = vi.fn();
    const failed = expect(within(new Promise(() => {}), 1_000, giveUp)).rejects.toThrow("no answer for 1 s");
    await vi.advanceTimersByTimeAsync(900);
    expect(giveUp).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    await failed;
    expect(giveUp).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not count the time in line", async () => {
    let isInLine = true;
    const giveUp = vi.fn();
    const failed = expect(within(new Promise(() => {}), 1_000, giveUp, () => isInLine)).rejects.toThrow("no answer");
    await vi.advanceTimersByTimeAsync(5_000);
    isInLine = false;
    await vi.advanceTimersByTimeAsync(900);
    expect(giveUp).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    await failed;
  });
});
