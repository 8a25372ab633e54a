import { pause } from "@cogency/protocol/testkit";
import type { Dispatcher } from "../../dispatcher.ts";

/** A number from 0 to 1, the same ones for the same seed. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Loses a third of the wakes, doubles a third, and delays a third, so that others overtake them; on both sides of the engine. */
export function unruly(dispatcher: Dispatcher, random: Random): Dispatcher {
  return {
    async wake(key, options) {
      const fate = random();
      if (fate < 1 / 3) return;
      if (fate < 2 / 3) {
        await dispatcher.wake(key, options);
        return dispatcher.wake(key, options);
      }
      const late = pause(random() * 200).then(() => dispatcher.wake(key, options));
      // It may come after the end of the case.
      late.catch(() => {});
    },
    work: (handler) =>
      dispatcher.work(async () => {
        const fate = random();
        if (fate < 1 / 3) return;
        if (fate < 2 / 3) await handler();
        else await pause(random() * 100);
        await handler();
      }),
  };
}
