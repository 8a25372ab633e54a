import type { Store } from "@cogency/storage";
import { type LiveHub, liveHub } from "@cogency/storage/adapter";
import { prepareAppend } from "./append.ts";
import { prepareConversations } from "./conversations.ts";
import type { Database } from "./database/database.ts";
import { prepareDelete } from "./delete.ts";
import { prepareGoneOwners } from "./gone-owners.ts";
import { prepareInbox, preparePost, prepareTakeMessages } from "./inbox/inbox.ts";
import { prepareMessageIds } from "./inbox/message-row.ts";
import { leaseOwner } from "./lease-owner.ts";
import { prepareLeases } from "./leases.ts";
import { prepareLoad } from "./load.ts";
import { prepareProfiles } from "./profiles.ts";
import { prepareLogRange } from "./rows/stored-event.ts";
import { chooseSearchIndex, prepareSearch } from "./search/search.ts";
import { prepareSlots } from "./slots.ts";
import { prepareClaim, prepareEndClaim } from "./wakes/claims.ts";
import { prepareDue, prepareKeys, prepareWake } from "./wakes/keys.ts";
import { prepareParked, prepareQueue, prepareWatchWakes } from "./wakes/queue.ts";
import { prepareFollow } from "./watch/follow.ts";
import { createPoll } from "./watch/poll.ts";
import { prepareWatch } from "./watch/watch.ts";
import { prepareWatchedKeys, prepareWatchedScopes } from "./watch/watched-keys.ts";

/**
 * Returns the store over a database that has the tables of schema/tables.ts. `close` closes the database.
 *
 * @param clock returns Unix time in milliseconds
 * @param hub carries what runs write; that of one process by default
 */
export function databaseStore(database: Database, clock: () => number, hub: LiveHub = liveHub()): Store {
  const { refuseIfClosed, close } = database;
  const poll = createPoll(database);
  const watched = prepareWatchedKeys(database, poll);
  const scopes = prepareWatchedScopes(database, poll);
  const due = prepareDue(database, scopes);
  const keys = prepareKeys(database, clock);
  const gone = prepareGoneOwners(database, due);
  const leases = prepareLeases(database, due, clock);
  const ids = prepareMessageIds(database);
  const takeMessages = prepareTakeMessages(database, ids, clock);
  const range = prepareLogRange(database);
  const index = chooseSearchIndex(database);

  return {
    append: unlessClosed(prepareAppend(database, { leases, keys, takeMessages, due, watched })),
    load: unlessClosed(prepareLoad(database, range)),
    conversations: unlessClosed(prepareConversations(database)),
    delete: unlessClosed(prepareDelete(database, index, watched)),
    search: unlessClosed(prepareSearch(index)),
    ...prepareProfiles(database),
    lease: unlessClosed(leases.grant),
    renew: leases.renew,
    follow: prepareFollow(database, range, watched),
    post: unlessClosed(preparePost(database, { keys, ids, due, watched }, clock)),
    inbox: unlessClosed(prepareInbox(database, keys, clock)),
    watch: prepareWatch(database, watched),
    wake: prepareWake(database, keys, due),
    claim: unlessClosed(prepareClaim(database, due, gone, clock)),
    ...prepareEndClaim(database, due, clock),
    ...prepareParked(database, due, clock),
    ...prepareQueue(database, clock),
    ...prepareWatchWakes(database, scopes, clock),
    ...prepareSlots(database, gone, clock),
    live: hub.live,
    owner: leaseOwner(),
    async close() {
      hub.close();
      close();
    },
  };

  function unlessClosed<Args extends unknown[], Value>(method: (...args: Args) => Value | Promise<Value>) {
    return async (...args: Args): Promise<Value> => {
      refuseIfClosed();
      return method(...args);
    };
  }
}
