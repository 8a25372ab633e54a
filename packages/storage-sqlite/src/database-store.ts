import type { Store } from "@cogency/storage";
import { prepareAppend } from "./append.ts";
import { prepareConversations } from "./conversations.ts";
import type { Database } from "./database/database.ts";
import { prepareDelete } from "./delete.ts";
import { prepareFollow } from "./follow/follow.ts";
import { prepareLeases } from "./leases.ts";
import { prepareLoad } from "./load.ts";
import { prepareProfiles } from "./profiles.ts";
import { prepareLogRange } from "./rows/log-range.ts";
import { chooseSearchIndex } from "./search/choose-search-index.ts";
import { prepareSearch } from "./search/search.ts";

/**
 * Returns the store over a database that has the tables of schema/tables.ts. `close` closes the database.
 *
 * @param clock returns Unix time in milliseconds
 */
export function databaseStore(database: Database, clock: () => number): Store {
  const { refuseIfClosed, close } = database;
  const leases = prepareLeases(database, clock);
  const append = prepareAppend(database, leases);
  const range = prepareLogRange(database);
  const load = prepareLoad(database, range);
  const conversations = prepareConversations(database);
  const index = chooseSearchIndex(database);
  const search = prepareSearch(index);
  const remove = prepareDelete(database, index);
  const follow = prepareFollow(database, range);

  return {
    async append(key, events, options) {
      refuseIfClosed();
      return append(key, events, options);
    },
    async load(key, options) {
      refuseIfClosed();
      return load(key, options);
    },
    async conversations(options) {
      refuseIfClosed();
      return conversations(options);
    },
    async delete(key) {
      refuseIfClosed();
      return remove(key);
    },
    async search(text, options) {
      refuseIfClosed();
      return search(text, options);
    },
    ...prepareProfiles(database),
    async lease(key, options) {
      refuseIfClosed();
      return leases.grant(key, options);
    },
    renew: leases.renew,
    follow: (key, options = {}) => follow(key, options),
    async close() {
      close();
    },
  };
}
