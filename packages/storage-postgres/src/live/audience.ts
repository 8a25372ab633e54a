/** The stores that follow one conversation. */
export interface Audience {
  /** Returns whether the store was not there. */
  join(store: string): boolean;
  leave(store: string): void;
  isThere(): boolean;
}

/** Counts a store as gone after three times in which it has not said that it follows: its process or its connection has ended. */
export function createAudience(): Audience {
  /** When each was last heard, by `performance.now`. */
  const heard = new Map<string, number>();
  const isGone = (time: number | undefined) => time === undefined || performance.now() - time > longestSilence;
  return {
    join(store) {
      const isNew = isGone(heard.get(store));
      if (isNew) for (const [other, time] of heard) if (isGone(time)) heard.delete(other);
      heard.set(store, performance.now());
      return isNew;
    },
    leave: (store) => void heard.delete(store),
    isThere() {
      for (const time of heard.values()) if (!isGone(time)) return true;
      return false;
    },
  };
}

/** Milliseconds after which a store says again what it follows. */
export const presenceInterval = 3_000;
const longestSilence = 3.3 * presenceInterval;
