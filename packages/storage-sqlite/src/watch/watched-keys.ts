import type { Database } from "../database/database.ts";
import { placeOfLastEvent, seqAt } from "../rows/event-place.ts";
import type { KeyTexts } from "../rows/names.ts";
import type { Poll } from "./poll.ts";
import { prepareWatched, type Watched } from "./watched.ts";

/** The conversations that somebody follows or watches. */
export interface WatchedKeys {
  /** Changes by `append`, `post` and `delete`. */
  readonly all: WatchedKey;
  /** Changes by `post` and `delete`. */
  readonly posts: WatchedKey;
}

interface WatchedKey {
  /** As in `Watched`. */
  change(key: KeyTexts, signal: AbortSignal | undefined): Promise<void>;
  /** Must be called inside the write. */
  touched(key: KeyTexts): void;
}

export function prepareWatchedKeys(database: Database, poll: Poll): WatchedKeys {
  const watchedKey = (state: string): WatchedKey => {
    const stateOf = ([user, name]: readonly string[]) =>
      `(SELECT ${state} FROM keys WHERE user = ${user} AND name = ${name})`;
    const watched = prepareWatched(database, poll, 2, stateOf);
    return {
      change: ({ user, name }, signal) => watched.change([user, name], signal),
      touched: ({ user, name }) => watched.touched([user, name]),
    };
  };
  const posts = "id || ' ' || last_message";
  return {
    all: watchedKey(`${posts} || ' ' || coalesce(${seqAt(placeOfLastEvent("id"))}, 0)`),
    posts: watchedKey(posts),
  };
}

/** The rows of `wake_scopes` that somebody watches. A name is the text of a scope. */
export function prepareWatchedScopes(database: Database, poll: Poll): Watched {
  return prepareWatched(database, poll, 1, ([scope]) => `(SELECT version FROM wake_scopes WHERE scope = ${scope})`);
}
