import type { Store } from "@cogency/storage";
import { prepareAppend } from "./append.ts";
import { chooseSearchIndex } from "./choose-search-index.ts";
import type { Connection } from "./connection.ts";
import { prepareConversations } from "./conversations.ts";
import { prepareDelete } from "./delete.ts";
import { prepareFollow } from "./follow.ts";
import { prepareLeases } from "./leases.ts";
import { prepareLoad } from "./load.ts";
import { prepareLogRange } from "./log-range.ts";
import { prepareProfiles } from "./profiles.ts";
import { search } from "./search.ts";

/**
 * The store over a database that has the tables of schema.ts, and which it closes.
 *
 * @param clock Unix time in milliseconds
 */
export function databaseStore(connection: Connection, clock: () => number): Store {
  const { refuseIfClosed, close } = connection;
  const leases = prepareLeases(connection, clock);
  const append = prepareAppend(connection, leases);
  const range = prepareLogRange(connection);
  const load = prepareLoad(connection, range);
  const conversations = prepareConversations(connection);
  const index = chooseSearchIndex(connection);
  const remove = prepareDelete(connection, index);
  const follow = prepareFollow(connection, range);

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
      return search(index, text, options);
    },
    ...prepareProfiles(connection),
    async lease(key, options) {
      refuseIfClosed();
      return leases.grant(key, options);
    },
    follow: (key, options = {}) => follow(key, options),
    async close() {
      close();
    },
  };
}
