import type { Clock } from "../../src/chat/questions/answer-keys.ts";

/** A clock that stands still until `pass` lets time go by. */
export function fakeClock(): { clock: Clock; pass(milliseconds: number): void } {
  let now = 0;
  const due = new Set<{ at: number; work(): void }>();
  const first = () => [...due].sort((one, other) => one.at - other.at)[0];
  return {
    clock: {
      now: () => now,
      after(milliseconds, work) {
        const timer = { at: now + milliseconds, work };
        due.add(timer);
        return () => void due.delete(timer);
      },
    },
    pass(milliseconds) {
      const end = now + milliseconds;
      for (let timer = first(); timer && timer.at <= end; timer = first()) {
        due.delete(timer);
        now = timer.at;
        timer.work();
      }
      now = end;
    },
  };
}
