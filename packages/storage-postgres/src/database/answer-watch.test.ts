import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answerWatch } from "./answer-watch.ts";

describe("answerWatch", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives up on an answer that takes longer", async () => {
    const giveUp = vi.fn();
    const failed = expect(answerWatch(1_000).limit(new Promise(() => {}), giveUp, () => false)).rejects.toThrow(
      "no answer for 1 s",
    );
    await vi.advanceTimersByTimeAsync(900);
    expect(giveUp).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    await failed;
    expect(giveUp).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not count the time in the queue", async () => {
    let isInLine = true;
    const giveUp = vi.fn();
    const failed = expect(answerWatch(1_000).limit(new Promise(() => {}), giveUp, () => isInLine)).rejects.toThrow(
      "no answer",
    );
    await vi.advanceTimersByTimeAsync(5_000);
    isInLine = false;
    await vi.advanceTimersByTimeAsync(900);
    expect(giveUp).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    await failed;
  });

  it("passes answers and failures on, and keeps no timer without awaited answers", async () => {
    const watch = answerWatch(1_000);
    const giveUp = vi.fn();
    const late = watch.limit(new Promise((resolve) => setTimeout(resolve, 900, "late")), giveUp, () => false);
    expect(await watch.limit(Promise.resolve("soon"), giveUp, () => false)).toBe("soon");
    await expect(watch.limit(Promise.reject(new Error("lost")), giveUp, () => false)).rejects.toThrow("lost");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toBe("late");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(giveUp).not.toHaveBeenCalled();
  });

  it("counts the time of each answer from its start", async () => {
    const watch = answerWatch(1_000);
    const gaveUp: string[] = [];
    const never = (name: string) =>
      watch
        .limit(
          new Promise(() => {}),
          () => gaveUp.push(name),
          () => false,
        )
        .catch(() => {});
    never("first");
    await vi.advanceTimersByTimeAsync(500);
    never("second");
    await vi.advanceTimersByTimeAsync(600);
    expect(gaveUp).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(gaveUp).toEqual(["first", "second"]);
  });
});
