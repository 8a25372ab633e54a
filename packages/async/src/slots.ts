/** A limited number of slots, given out in the order of asking. */
export interface Slots {
  /**
   * Takes a slot. Returns the function that gives it back, to be called once; while none is free a promise of that
   * function, which rejects with the signal's reason when the signal aborts first.
   */
  take(signal?: AbortSignal): (() => void) | Promise<() => void>;
  /** Runs `work` in a slot, and gives the slot back however it ends. From its start on the signal is the work's business. */
  run<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** @param limit slots in all: 1 or more, `Infinity` for no limit */
export function createSlots(limit: number): Slots {
  let free = limit;
  let first: Waiter | undefined;
  let last: Waiter | undefined;

  const giveBack = () => {
    while (first?.hasLeft) first = first.next;
    if (!first) {
      free += 1;
      return;
    }
    const { resume, next } = first;
    first = next;
    resume(giveBack);
  };

  function enqueue(resume: Waiter["resume"]): Waiter {
    const waiter: Waiter = { resume };
    if (first && last) last.next = waiter;
    else first = waiter;
    last = waiter;
    return waiter;
  }

  function take(signal?: AbortSignal): (() => void) | Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (free > 0) {
      free -= 1;
      return giveBack;
    }
    if (!signal) return new Promise(enqueue);
    return new Promise((resolve, reject) => {
      const waiter = enqueue((giveBack) => {
        signal.removeEventListener("abort", leave);
        resolve(giveBack);
      });
      const leave = () => {
        waiter.hasLeft = true;
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  return {
    take,
    async run(work, signal) {
      const giveBack = await take(signal);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}

interface Waiter {
  resume(giveBack: () => void): void;
  hasLeft?: true;
  next?: Waiter;
}
