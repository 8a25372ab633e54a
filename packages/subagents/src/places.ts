interface Group {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** Places for work that runs side by side: so many in each group, and whoever finds none free waits for one, in order. */
export class Places {
  readonly #most: number;
  readonly #groups = new Map<string, Group>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Does the work when a place is free, or when the signal aborts: the work knows best how it ends then. */
  async within<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const group = this.#groups.get(name) ?? { taken: 0, waiting: new Set() };
    this.#groups.set(name, group);
    if (group.taken < this.#most || signal.aborted) group.taken++;
    else await placeIn(group, signal);
    try {
      return await work();
    } finally {
      const [next] = group.waiting;
      if (next && group.taken <= this.#most) next();
      else group.taken--;
      if (group.taken === 0) this.#groups.delete(name);
    }
  }
}

/** Resolves when somebody hands over a place, or when the signal aborts, which takes one more. */
function placeIn(group: Group, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      group.taken++;
      take();
    };
    const take = () => {
      group.waiting.delete(take);
      signal.removeEventListener("abort", stop);
      resolve();
    };
    group.waiting.add(take);
    signal.addEventListener("abort", stop, { once: true });
  });
}
