import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConsumerLeft, Outlet } from "./outlet.ts";

/** Lets everything go on that waits for nothing but promises. */
const settled = () => new Promise(setImmediate);

const value = (value: number) => ({ done: false, value });
const done = { done: true, value: undefined };

/** An outlet whose loop gives these events, and what the loop has done so far. */
function giving(...gives: number[][]) {
  const seen = { begun: 0, error: undefined as unknown, isOver: false };
  const outlet: Outlet<number> = new Outlet(async () => {
    // As a run does: it takes its lease first.
    await Promise.resolve();
    try {
      for (const events of gives) {
        seen.begun++;
        await outlet.put(...events);
      }
    } catch (error) {
      seen.error = error;
    } finally {
      seen.isOver = true;
    }
  });
  return { outlet, seen };
}

describe("the pulls of an outlet", () => {
  it("begin the loop with the first one", async () => {
    const { outlet, seen } = giving([1]);
    await settled();
    expect(seen.begun).toBe(0);
    expect(await outlet.next()).toEqual(value(1));
    expect(seen.begun).toBe(1);
  });

  it("get one event each, then the end for ever", async () => {
    const { outlet } = giving([1, 2], [3]);
    const given = [];
    for (let pull = 0; pull < 5; pull++) given.push(await outlet.next());
    expect(given).toEqual([value(1), value(2), value(3), done, done]);
  });

  it("get the events in their order if the consumer does not wait for each", async () => {
    const { outlet } = giving([1], [], [2, 3]);
    const given = await Promise.all(Array.from({ length: 5 }, () => outlet.next()));
    expect(given).toEqual([value(1), value(2), value(3), done, done]);
  });

  it("let the loop go on only when the consumer has taken its events and asks for another", async () => {
    const { outlet, seen } = giving([1, 2], [3]);
    await outlet.next();
    await outlet.next();
    await settled();
    expect(seen.begun).toBe(1);
    const third = outlet.next();
    await settled();
    expect(seen.begun).toBe(2);
    expect(await third).toEqual(value(3));
    await settled();
    expect(seen.isOver).toBe(false);
    expect(await outlet.next()).toEqual(done);
    expect(seen.isOver).toBe(true);
  });

  it("let the loop go on without a promise only where the consumer asks for more already", async () => {
    const waits: boolean[] = [];
    const outlet: Outlet<number> = new Outlet(async () => {
      await Promise.resolve();
      for (const event of [1, 2, 3]) {
        const asked = outlet.give([event]);
        waits.push(asked !== undefined);
        await asked;
      }
    });
    await Promise.all([outlet.next(), outlet.next()]);
    expect(waits).toEqual([false, true]);
    while (!(await outlet.next()).done);
  });

  it("are not needed where the loop gives nothing", async () => {
    const { outlet, seen } = giving([], [], [1]);
    expect(await outlet.next()).toEqual(value(1));
    expect(seen.begun).toBe(3);
  });

  it("lose no event of a loop that gives before it first waits", async () => {
    const outlet: Outlet<number> = new Outlet(async () => {
      await outlet.put(1, 2);
      await outlet.put(3);
    });
    const given = [];
    for (let pull = 0; pull < 4; pull++) given.push(await outlet.next());
    expect(given).toEqual([value(1), value(2), value(3), done]);
  });

  it("never let the loop get ahead by more than they ask for, and lose no event", async () => {
    const gives = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 6 });
    const pulls = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(gives, pulls, async (gives, pulls) => {
        const { outlet, seen } = giving(...gives);
        const events = gives.flat();
        let asked = 0;
        for (const many of pulls) {
          const given = await Promise.race([
            Promise.all(Array.from({ length: many }, () => outlet.next())),
            settled().then(() => "late" as const),
          ]);
          const expected = Array.from({ length: many }, (_, nth) => {
            const event = events[asked + nth];
            return event === undefined ? done : value(event);
          });
          expect(given).toEqual(expected);
          asked += many;
          // A give may begin only if all events before it are taken, and one more was asked for.
          const allowed = gives.filter((_, nth) => gives.slice(0, nth).flat().length < asked).length;
          expect(seen.begun).toBe(allowed);
          expect(seen.isOver).toBe(asked > events.length);
        }
      }),
    );
  });
});

describe("leaving an outlet", () => {
  it("before the first pull never begins the loop", async () => {
    const { outlet, seen } = giving([1]);
    await outlet.leave();
    expect(await outlet.next()).toEqual(done);
    expect(seen.begun).toBe(0);
  });

  it("while the loop waits throws ConsumerLeft there, and waits for the end of the loop", async () => {
    const { outlet, seen } = giving([1, 2], [3]);
    await outlet.next();
    await outlet.leave();
    expect(seen).toMatchObject({ begun: 1, isOver: true });
    expect(seen.error).toBeInstanceOf(ConsumerLeft);
    expect(await outlet.next()).toEqual(done);
  });

  it("while the loop works throws ConsumerLeft at its next give, also of nothing, and ends the pull that waits", async () => {
    for (const events of [[1], []]) {
      const work = Promise.withResolvers<void>();
      let error: unknown;
      const outlet: Outlet<number> = new Outlet(async () => {
        await work.promise;
        await outlet.put(...events).catch((cause: unknown) => {
          error = cause;
        });
      });
      const pull = outlet.next();
      const later = outlet.next();
      let hasLeft = false;
      const leaving = outlet.leave().then(() => {
        hasLeft = true;
      });
      await settled();
      expect(hasLeft).toBe(false);
      work.resolve();
      await leaving;
      expect(error).toBeInstanceOf(ConsumerLeft);
      expect(await Promise.all([pull, later, outlet.next()])).toEqual([done, done, done]);
    }
  });

  it("while a loop ends that gives nothing more changes nothing", async () => {
    const work = Promise.withResolvers<void>();
    const outlet = new Outlet<number>(() => work.promise);
    const pull = outlet.next();
    const leaving = outlet.leave();
    work.resolve();
    await leaving;
    expect(await pull).toEqual(done);
  });

  it("after the end, or twice, does nothing", async () => {
    const { outlet, seen } = giving([1]);
    while (!(await outlet.next()).done);
    await outlet.leave();
    await outlet.leave();
    expect(seen.error).toBeUndefined();
    expect(await outlet.next()).toEqual(done);
  });

  it("throws the error of the loop", async () => {
    const outlet: Outlet<number> = new Outlet(async () => {
      await outlet.put(1).catch(() => {});
      throw new Error("The store is full.");
    });
    await outlet.next();
    await expect(outlet.leave()).rejects.toThrow("The store is full.");
    expect(await outlet.next()).toEqual(done);
  });
});

describe("a loop that rejects", () => {
  it("rejects the pull that waits, and ends the ones after it", async () => {
    const outlet: Outlet<number> = new Outlet(async () => {
      await outlet.put(1);
      throw new Error("The provider is away.");
    });
    const [first, second, third] = await Promise.allSettled([outlet.next(), outlet.next(), outlet.next()]);
    expect(first).toMatchObject({ value: value(1) });
    expect(second).toMatchObject({ reason: new Error("The provider is away.") });
    expect(third).toMatchObject({ value: done });
    expect(await outlet.next()).toEqual(done);
  });

  it("rejects the pull that began it", async () => {
    const outlet = new Outlet<number>(() => Promise.reject(new Error("busy")));
    await expect(outlet.next()).rejects.toThrow("busy");
    expect(await outlet.next()).toEqual(done);
  });
});
