import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAddresses } from "./addresses.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits for `a`; `isOver` once that has ended. */
function waiting(addresses = createAddresses(), controller = new AbortController()) {
  const state = { isOver: false };
  void addresses.completed("a", 10_000, controller.signal).then(() => {
    state.isOver = true;
  });
  return { addresses, controller, state };
}

describe("addresses that a person was sent to", () => {
  it.each([
    [
      "the server says that the person has finished",
      ({ addresses }: ReturnType<typeof waiting>) => addresses.complete("a"),
      true,
    ],
    [
      "the server says so of another one",
      ({ addresses }: ReturnType<typeof waiting>) => addresses.complete("b"),
      false,
    ],
    ["the call is cancelled", ({ controller }: ReturnType<typeof waiting>) => controller.abort(), true],
    ["nothing happens", () => {}, false],
  ])("are waited for: %s", async (_, happens, isOver) => {
    const wait = waiting();
    happens(wait);
    await vi.advanceTimersByTimeAsync(0);
    expect(wait.state.isOver).toBe(isOver);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(wait.state.isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are not waited for where the person has finished already", async () => {
    const addresses = createAddresses();
    addresses.complete("a");
    const { state } = waiting(addresses);
    await vi.advanceTimersByTimeAsync(0);
    expect(state.isOver).toBe(true);
  });

  it("are remembered up to a number, and none with an endless id", async () => {
    const addresses = createAddresses();
    addresses.complete("a");
    for (let at = 0; at < 100; at++) addresses.complete(`${at}`);
    addresses.complete("x".repeat(1_000_000));
    const { state } = waiting(addresses);
    await vi.advanceTimersByTimeAsync(0);
    expect(state.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
  });
});
