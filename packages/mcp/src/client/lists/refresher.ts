import { wait } from "@cogency/async";

/** Reads a list again when its server says that it has changed: one at a time, and many changes in a short time as one. */
export interface Refresher {
  changed(): void;
  /** Reads the list if it has changed while there was nothing to read from, as when the connection was not ready yet. */
  catchUp(): void;
}

/**
 * @param list reads the list
 * @param isAway whether there is nothing to read from, such as before the connection is ready and after it has ended
 */
export function createRefresher(list: () => Promise<void>, isAway: () => boolean): Refresher {
  let isStale = false;
  let isReading = false;

  async function readUntilFresh(): Promise<void> {
    isReading = true;
    while (isStale && !isAway()) {
      isStale = false;
      await list();
      await wait(pause);
    }
    isReading = false;
  }

  function catchUp(): void {
    if (isStale && !isReading) void readUntilFresh();
  }

  return {
    changed() {
      isStale = true;
      catchUp();
    },
    catchUp,
  };
}

/** Milliseconds between two readings. */
const pause = 500;
