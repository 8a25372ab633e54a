import { describe, expect, it } from "vitest";
import { createChanges } from "./changes.ts";
import { type DueLook, watchDue } from "./watch-due.ts";

/** A source whose looks are given. After the last one it gives that one again. */
function looking(...looks: DueLook[]) {
  const changes = createChanges();
  const source = {
    looks: 0,
    waiting: 0,
    announce: changes.announce,
    look: () => looks[Math.min(source.looks++, looks.length - 1)] ?? { isDue: false, next: undefined },
    async change(signal: AbortSignal | undefined) {
      source.waiting += 1;
      await changes.next(signal);
      source.waiting -= 1;
    },
  };
  return source;
}

const nothing: DueLook = { isDue: false, next: undefined };
const due: DueLook = { isDue: true, next: undefined };

describe("watchDue", () => {
  it("yields at once what is due, and then only after a change", async () => {
    const source = looking(due);
    const yields = watchDue(source, {});
    expect(await yields.next()).toEqual({ done: false, value: undefined });
    const next = yields.next();
    expect(source.looks).toBe(1);
    source.announce();
    expect(await next).toEqual({ done: false, value: undefined });
    expect(source.looks).toBe(2);
    await yields.return?.();
    expect(source.waiting).toBe(0);
  });

  it("looks again after a change, and yields only if something is due", async () => {
    const source = looking(nothing, nothing, due);
    const next = watchDue(source, {}).next();
    while (source.looks < 3) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      source.announce();
    }
    expect(await next).toEqual({ done: false, value: undefined });
  });

  it("looks again when the next time has come, also if that is a fraction of a millisecond away", async () => {
    for (const next of [5, 0.25]) {
      const source = looking({ isDue: false, next }, due);
      expect(await watchDue(source, {}).next()).toEqual({ done: false, value: undefined });
      expect(source.looks).toBe(2);
    }
  });

  it("does not look all the time for a next time that is further away than a timer can be", async () => {
    const source = looking({ isDue: false, next: Number.MAX_VALUE }, due);
    const yields = watchDue(source, {});
    const next = yields.next();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(source.looks).toBe(1);
    await yields.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it("notices a change that comes while it looks, and one that comes while its caller claims", async () => {
    const source = looking(nothing, due);
    const { look } = source;
    source.look = () => {
      if (source.looks === 0) source.announce();
      return look();
    };
    const yields = watchDue(source, {});
    await yields.next();
    source.announce();
    await yields.next();
    expect(source.looks).toBe(3);
  });

  it("ends when its signal is aborted, and leaves nothing that waits", async () => {
    const ending = new AbortController();
    const source = looking({ isDue: false, next: 10_000 });
    const next = watchDue(source, { signal: ending.signal }).next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    ending.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(source.waiting).toBe(0);
  });

  it("throws what a look throws, and leaves nothing that waits", async () => {
    const source = looking(nothing);
    source.look = () => {
      throw new Error("The store was closed.");
    };
    await expect(watchDue(source, {}).next()).rejects.toThrow("The store was closed.");
    expect(source.waiting).toBe(0);
  });
});
