import { describe, expect, it } from "vitest";
import { wait } from "./wait.ts";

describe("wait", () => {
  it("ends when the time is over", async () => {
    await expect(wait(1)).resolves.toBeUndefined();
  });

  it("ends when the signal aborts, also without a time limit", async () => {
    const controller = new AbortController();
    const waiting = wait(Number.POSITIVE_INFINITY, controller.signal);
    controller.abort();
    await expect(waiting).resolves.toBeUndefined();
  });

  it("does not end at once when it is longer than the longest timer", async () => {
    const controller = new AbortController();
    const waiting = wait(2 ** 31, controller.signal).then(() => "over");
    expect(await Promise.race([waiting, wait(20).then(() => "waiting")])).toBe("waiting");
    controller.abort();
    expect(await waiting).toBe("over");
  });

  it("does not begin when the signal has aborted", async () => {
    await expect(wait(Number.POSITIVE_INFINITY, AbortSignal.abort())).resolves.toBeUndefined();
  });
});
