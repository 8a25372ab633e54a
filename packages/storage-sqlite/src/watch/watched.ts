import { type Changes, createChanges } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import type { Poll } from "./poll.ts";

/** Rows that somebody watches. A name is the texts by which a row is found. */
export interface Watched {
  /**
   * Resolves when the row has changed since the call, by any connection; when the store is closed or its file is lost; or
   * when `signal` is aborted. The row is remembered until then, and a further call with the same signal reads nothing.
   * `signal` defaults to the end of the store.
   */
  change(name: readonly string[], signal: AbortSignal | undefined): Promise<void>;
  /** Must be called inside the write that changes the row. */
  touched(name: readonly string[]): void;
}

interface Entry {
  name: readonly string[];
  /** The last known one. */
  state: unknown;
  changes: Changes;
  /** The signals of those who watch the row. */
  watchers: Set<AbortSignal>;
}

/**
 * A write of this connection wakes only those who watch the row. After a commit of another connection, one query compares all
 * watched rows with what is known of them.
 *
 * @param size how many texts a name has
 * @param stateOf takes SQL expressions for the texts of a name, and returns one that differs after each change of the row
 */
export function prepareWatched(
  { sqlite, closed, read, afterCommit }: Database,
  poll: Poll,
  size: number,
  stateOf: (name: readonly string[]) => string,
): Watched {
  const find = sqlite.prepare(`SELECT ${stateOf(Array.from({ length: size }, () => "?"))} AS state`);
  const watchedState = stateOf(Array.from({ length: size }, (_, index) => `watched.value ->> ${index + 1}`));
  const findChanged = sqlite.prepare(`
    SELECT key AS position, ${watchedState} AS state FROM json_each(?) AS watched
    WHERE ${watchedState} IS NOT watched.value ->> 0`);
  const entries = new Map<string, Entry>();
  poll.onChange(compare);
  closed.addEventListener("abort", announceAll);

  return {
    async change(name, signal = closed) {
      if (signal.aborted) return;
      const text = JSON.stringify(name);
      let entry = entries.get(text);
      if (!entry) {
        const state = read(() => stateNow(name));
        // The row may have changed between the call and the read, which waits for another connection.
        if (state instanceof Promise) return void (await state);
        entry = { name, state, changes: createChanges(), watchers: new Set() };
        entries.set(text, entry);
      }
      join(entry, text, signal);
      await poll.during(entry.changes.next(signal));
    },

    touched(name) {
      const entry = entries.size === 0 ? undefined : entries.get(JSON.stringify(name));
      if (!entry) return;
      const state = stateNow(name);
      afterCommit(() => changed(entry, state));
    },
  };

  function stateNow(name: readonly string[]): unknown {
    return find.get(...name)?.state;
  }

  function join(entry: Entry, text: string, signal: AbortSignal): void {
    if (entry.watchers.has(signal)) return;
    entry.watchers.add(signal);
    signal.addEventListener("abort", () => {
      entry.watchers.delete(signal);
      if (entry.watchers.size === 0) entries.delete(text);
    });
  }

  function changed(entry: Entry, state: unknown): void {
    entry.state = state;
    entry.changes.announce();
  }

  async function compare(): Promise<void> {
    if (entries.size === 0) return;
    try {
      const watched = [...entries.values()];
      const known = JSON.stringify(watched.map(({ name, state }) => [state, ...name]));
      for (const { position, state } of await read(() => findChanged.all(known))) {
        const entry = watched[Number(position)];
        if (entry) changed(entry, state);
      }
    } catch {
      // The next read of those who wait throws the reason.
      announceAll();
    }
  }

  function announceAll(): void {
    for (const { changes } of [...entries.values()]) changes.announce();
  }
}
