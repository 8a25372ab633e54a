import type { Database } from "../database/database.ts";

/** Notices what other connections commit. */
export interface Poll {
  /** Calls `listener` after each commit of another connection that `during` notices, and when the file is lost. */
  onChange(listener: () => Promise<void>): void;
  /** Polls while `waiting` is pending, and returns it. */
  during(waiting: Promise<void>): Promise<void>;
}

/**
 * Polls SQLite's data version while somebody waits: every 5 ms after a change, then less and less often, up to every 250 ms.
 * Pauses for longer after listeners that took long, so that the polls of a busy file leave the event loop to others.
 */
export function createPoll({ sqlite, checkFile }: Database): Poll {
  const dataVersion = sqlite.prepare("PRAGMA data_version");
  const listeners: (() => Promise<void>)[] = [];
  let waiting = 0;
  let isLooking = false;
  let seen: unknown;
  let timer: NodeJS.Timeout | undefined;

  return {
    onChange: (listener) => void listeners.push(listener),

    async during(promise) {
      waiting += 1;
      if (waiting === 1 && !isLooking) lookAfter(shortest);
      try {
        await promise;
      } finally {
        waiting -= 1;
        if (waiting === 0) clearTimeout(timer);
      }
    },
  };

  function lookAfter(pause: number): void {
    timer = setTimeout(() => void look(pause), pause);
  }

  async function look(pause: number): Promise<void> {
    isLooking = true;
    const start = performance.now();
    const found = version();
    const isChanged = found !== seen;
    seen = found;
    if (isChanged) for (const listener of listeners) await listener();
    isLooking = false;
    if (waiting === 0) return;
    const rest = restPerWork * (performance.now() - start);
    lookAfter(Math.max(isChanged ? shortest : Math.min(2 * pause, longest), rest));
  }

  /** If the version cannot be read, the next read of those who wait throws the reason. */
  function version(): unknown {
    try {
      checkFile();
      return dataVersion.get()?.data_version;
    } catch {
      return undefined;
    }
  }
}

/** Milliseconds. */
const shortest = 5;
const longest = 250;
/** The least pause after a poll, in times of what the poll took. */
const restPerWork = 4;
