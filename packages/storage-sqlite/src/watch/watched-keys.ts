import type { Database } from "../database/database.ts";
import { placeOfLastEvent, seqAt } from "../rows/event-place.ts";
import type { KeyTexts } from "../rows/names.ts";
import type { Poll } from "./poll.ts";
import { prepareWatched } from "./watched.ts";

/** The conversations that somebody follows or watches. They change by `append`, `post` and `delete`. */
export interface WatchedKeys {
  /** As in `Watched`. */
  change(key: KeyTexts, signal: AbortSignal | undefined): Promise<void>;
  /** Must be called inside the write. */
  touched(key: KeyTexts): void;
}

export function prepareWatchedKeys(database: Database, poll: Poll): WatchedKeys {
  const watched = prepareWatched(
    database,
    poll,
    2,
    ([user, name]) =>
      `(SELECT id || ' ' || last_message || ' ' || coalesce(${seqAt(placeOfLastEvent("id"))}, 0)
        FROM keys WHERE user = ${user} AND name = ${name})`,
  );
  return {
    change: ({ user, name }, signal) => watched.change([user, name], signal),
    touched: ({ user, name }) => watched.touched([user, name]),
  };
}
