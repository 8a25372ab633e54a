import { wait } from "@cogency/async";

/** Reads a list again when its server says that it has changed: one at a time, and many changes in a short time as one. */
export interface Refresher {
  changed(): void;
}

/**
 * @param list reads the list
 * @param isOver whether there is nothing to read any more, such as after the connection has ended
 */
export function createRefresher(list: () => Promise<void>, isOver: () => boolean): Refresher {
  let isStale = false;
  let isReading = false;

  async function readUntilFresh(): Promise<void> {
    isReading = true;
    while (isStale && !isOver()) {
      isStale = false;
      await list();
      await wait(pause);
    }
    isReading = false;
  }

  return {
    changed() {
      isStale = true;
      if (!isReading) void readUntilFresh();
    },
  };
}

/** Milliseconds between two readings. */
const pause = 500;
