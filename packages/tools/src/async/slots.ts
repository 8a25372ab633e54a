/** A limited number of places, given out in the order of asking. */
export interface Slots {
  /** The way to give back a place, once; a promise of it while none is free. */
  take(): (() => void) | Promise<() => void>;
}

export function createSlots(limit: number): Slots {
  let free = limit;
  let first: Waiter | undefined;
  let last: Waiter | undefined;

  const giveBack = () => {
    if (!first) {
      free += 1;
      return;
    }
    first.resume(giveBack);
    first = first.next;
  };

  return {
    take() {
      if (free > 0) {
        free -= 1;
        return giveBack;
      }
      return new Promise((resume) => {
        const waiter: Waiter = { resume };
        if (first && last) last.next = waiter;
        else first = waiter;
        last = waiter;
      });
    },
  };
}

interface Waiter {
  resume(giveBack: () => void): void;
  next?: Waiter;
}
