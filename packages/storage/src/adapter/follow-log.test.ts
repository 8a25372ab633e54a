import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../store.ts";
import { createChanges } from "./changes.ts";
import { followLog } from "./follow-log.ts";

const event = (seq: number): StoredEvent => ({ type: "user", content: `${seq}`, timestamp: 1, seq });

/** A log of `length` events that can grow, read in pages of three. */
function growing(length: number) {
  const changes = createChanges();
  const log = {
    waiting: 0,
    grow(by: number) {
      length += by;
      changes.announce();
    },
    read: async (after: number) =>
      Array.from({ length: Math.min(3, length - after) }, (_, index) => event(after + index + 1)),
    async change(signal: AbortSignal | undefined) {
      log.waiting += 1;
      await changes.next(signal);
      log.waiting -= 1;
    },
  };
  return log;
}

async function take(events: AsyncIterator<StoredEvent>, count: number): Promise<(number | undefined)[]> {
  const taken: (number | undefined)[] = [];
  while (taken.length < count) {
    const { done, value } = await events.next();
    taken.push(done ? undefined : value.seq);
  }
  return taken;
}

describe("followLog", () => {
  it("yields page after page and then new events", async () => {
    const log = growing(7);
    const events = followLog(log, {});
    expect(await take(events, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const next = take(events, 2);
    log.grow(2);
    expect(await next).toEqual([8, 9]);
    await events.return?.();
  });

  it.each([
    [undefined, [1, 2]],
    [-5, [1, 2]],
    [3, [4, 5]],
    [3.5, [4, 5]],
  ])("starts after %s", async (after, numbers) => {
    expect(await take(followLog(growing(9), { after }), 2)).toEqual(numbers);
  });

  it("yields events that are appended while it reads", async () => {
    const log = growing(0);
    const { read } = log;
    log.read = async (after) => {
      const found = await read(after);
      if (found.length === 0 && after < 5) log.grow(1);
      return found;
    };
    expect(await take(followLog(log, {}), 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it("ends its wait when it is aborted and when it is left", async () => {
    const log = growing(1);
    const leaving = new AbortController();
    const events = followLog(log, { signal: leaving.signal });
    expect(await take(events, 1)).toEqual([1]);
    const end = take(events, 1);
    leaving.abort();
    expect(await end).toEqual([undefined]);
    for await (const { seq } of followLog(log, {})) if (seq === 1) break;
    expect(log.waiting).toBe(0);
  });

  it("ends at once when it is left while it waits", async () => {
    const log = growing(0);
    const events = followLog(log, {});
    const next = events.next();
    await events.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(log.waiting).toBe(0);
  });

  it("ends when the log was deleted", async () => {
    expect(await take(followLog({ ...growing(0), read: async () => "deleted" }, {}), 1)).toEqual([undefined]);
  });

  it.each(["read", "change"] as const)("throws the error of `%s`", async (method) => {
    const failing = { ...growing(0), [method]: async () => Promise.reject(new Error("No luck.")) };
    await expect(take(followLog(failing, {}), 1)).rejects.toThrow("No luck.");
  });
});
