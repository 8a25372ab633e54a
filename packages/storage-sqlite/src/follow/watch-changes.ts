import type { Database } from "../database/database.ts";

/**
 * Waits for a change, whoever makes it: this connection announces its own, those of others are noticed by SQLite's data
 * version, which is looked at while somebody waits, first often and then less and less.
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

  /** Where it cannot be read, whoever reads next is told why. */
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
