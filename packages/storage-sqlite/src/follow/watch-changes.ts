import type { Database } from "../database/database.ts";

/**
 * Waits for a change by any connection. This connection announces its own changes. For those of others it polls
 * SQLite's data version while a follower waits: every 5 ms after a change, then less and less often, up to every 250
 * ms.
 */
export function watchChanges({
  sqlite,
  changes,
  checkFile,
}: Database): (signal: AbortSignal | undefined) => Promise<void> {
  const dataVersion = sqlite.prepare("PRAGMA data_version");
  let waiting = 0;
  let seen: unknown;
  let timer: NodeJS.Timeout | undefined;

  return async (signal) => {
    if (signal?.aborted) return;
    waiting += 1;
    if (waiting === 1) {
      seen = version();
      lookAfter(shortest);
    }
    await changes.next(signal);
    waiting -= 1;
    if (waiting === 0) clearTimeout(timer);
  };

  function lookAfter(pause: number): void {
    timer = setTimeout(() => {
      const found = version();
      const isChanged = found !== seen;
      seen = found;
      if (isChanged) changes.announce();
      lookAfter(isChanged ? shortest : Math.min(2 * pause, longest));
    }, pause);
  }

  /** If the version cannot be read, the follower's next read throws the reason. */
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
