import { describe, expect, it } from "vitest";
import { abandonable } from "./abandonable.ts";

async function* counting(isStuck: boolean, ended: string[]) {
  try {
    yield 1;
    if (isStuck) await new Promise(() => {});
    yield 2;
  } finally {
    ended.push("ended");
  }
}

describe("abandonable", () => {
  const done = { done: true, value: undefined };

  it("yields the values of its source, and ends with it", async () => {
    const ended: string[] = [];
    const source = abandonable(counting(false, ended), new AbortController().signal, 1);
    expect([await source.next(), await source.next(), await source.next()].map(({ value }) => value)).toEqual([
      1,
      2,
      undefined,
    ]);
    expect(ended).toEqual(["ended"]);
  });

  it("ends after its grace when the signal aborts and the source hangs", async () => {
    const controller = new AbortController();
    const source = abandonable(counting(true, []), controller.signal, 5);
    await source.next();
    const next = source.next();
    controller.abort();
    expect(await next).toEqual(done);
    expect(await source.next()).toEqual(done);
  });

  it("ends after its grace when the consumer leaves and the source hangs", async () => {
    const source = abandonable(counting(true, []), new AbortController().signal, 5);
    await source.next();
    void source.next();
    expect(await source.return?.()).toEqual(done);
  });

  it("lets a source clean up that ends in time", async () => {
    const ended: string[] = [];
    const source = abandonable(counting(false, ended), new AbortController().signal, 1000);
    await source.next();
    expect(await source.return?.()).toEqual(done);
    expect(ended).toEqual(["ended"]);
  });
});
