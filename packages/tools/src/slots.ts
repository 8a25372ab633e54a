/** A limited number of places, given out in the order of asking. */
export interface Slots {
  /** Resolves when a place is free, with the way to give it back; call that once. */
  take(): Promise<() => void>;
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
    async take() {
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
