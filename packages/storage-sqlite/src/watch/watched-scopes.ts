import type { Database } from "../database/database.ts";
import type { Poll } from "./poll.ts";
import { prepareWatched, type Watched } from "./watched.ts";

/** The rows of `wake_scopes` that somebody watches. A name is the text of a scope. */
export function prepareWatchedScopes(database: Database, poll: Poll): Watched {
  return prepareWatched(database, poll, 1, ([scope]) => `(SELECT version FROM wake_scopes WHERE scope = ${scope})`);
}
