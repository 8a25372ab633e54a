import { expect, it } from "vitest";
import { inStillTime, timersSet } from "./still-time.ts";

const turnOfNode = () => new Promise((resolve) => setImmediate(resolve));

it("jumps to the timers of the replay, in the order of their times", async () => {
  const rung: string[] = [];
  await inStillTime(async () => {
    const began = Date.now();
    await Promise.all(
      [2000, 1000].map(async (delay) => {
        await new Promise((resolve) => setTimeout(resolve, delay));
        rung.push(`${delay} after ${Date.now() - began}`);
      }),
    );
  });
  expect(rung).toEqual(["1000 after 1000", "2000 after 2000"]);
});

it("counts the timers of the replay, also those that its timers set, and forgets those that are stopped", async () => {
  const counts: number[] = [];
  await inStillTime(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const inner = setTimeout(() => {}, 1000);
    counts.push(timersSet());
    clearTimeout(inner);
    counts.push(timersSet());
  });
  expect(counts).toEqual([1, 0]);
});

it("leaves the timers of other work as they are, and does not count them", async () => {
  const counts: number[] = [];
  const { promise: rang, resolve: ring } = Promise.withResolvers<void>();
  const { promise: isSet, resolve: set } = Promise.withResolvers<void>();
  setImmediate(() => {
    clearTimeout(setTimeout(() => expect.fail("This timer was stopped."), 1));
    setTimeout(ring, 1);
    set();
  });
  await inStillTime(async () => {
    await turnOfNode();
    counts.push(timersSet());
    await isSet;
    counts.push(timersSet());
  });
  await rang;
  expect(counts).toEqual([0, 0]);
});
