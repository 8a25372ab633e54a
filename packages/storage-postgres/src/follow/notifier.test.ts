import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Pool } from "../database/connect.ts";
import { type Notice, notifier } from "./notifier.ts";

describe("notifier", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  it("sends at once, and then one statement after each pause, with all notices since", async () => {
    const { sent, add } = started(async () => []);
    add("a");
    add("b");
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([["a", "b"]]);
    for (const payload of ["c", "d", "e"]) {
      add(payload);
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(sent).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  });

  it("waits for the answer of a statement before it sends the next one", async () => {
    let answer = (_: never[]) => {};
    const { sent, add } = started(
      () =>
        new Promise<never[]>((resolve) => {
          answer = resolve;
        }),
    );
    add("a");
    await vi.advanceTimersByTimeAsync(0);
    add("b");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([["a"]]);
    answer([]);
    await vi.advanceTimersByTimeAsync(50);
    expect(sent).toEqual([["a"], ["b"]]);
  });

  it("says that a statement failed, and tries again after half a second", async () => {
    let failures = 0;
    const { sent, add } = started(
      () => Promise.reject(new Error("no connection")),
      () => {
        failures++;
        add("again");
      },
    );
    add("a");
    await vi.advanceTimersByTimeAsync(1_200);
    expect(sent).toEqual([["a"], ["again"], ["again"]]);
    expect(failures).toBe(3);
  });

  it("sends what is left when it is closed, once if that fails", async () => {
    const { sent, add, outgoing } = started(
      () => Promise.reject(new Error("no connection")),
      () => add("again"),
    );
    add("a");
    await vi.advanceTimersByTimeAsync(0);
    const closed = outgoing.close();
    await vi.advanceTimersByTimeAsync(100);
    await closed;
    expect(sent).toEqual([["a"], ["again"]]);
  });
});

/** A notifier over a pool that answers so, and the payloads of each statement. */
function started(answer: () => Promise<never[]>, failed?: () => void) {
  const sent: string[][] = [];
  const query = (_: string, [, payloads]: readonly unknown[]) => {
    sent.push(JSON.parse(String(payloads).replace("{", "[").replace("}", "]")) as string[]);
    return answer();
  };
  const waiting: Notice[] = [];
  const outgoing = notifier({ query } as unknown as Pool, {
    pause: 33,
    take: () => waiting.splice(0),
    ...(failed && { failed }),
  });
  const add = (payload: string) => {
    waiting.push({ channel: "c", payload });
    outgoing.notify();
  };
  return { sent, add, outgoing };
}
