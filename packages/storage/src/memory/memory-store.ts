import { callback, checkOptions, type OptionTable } from "@cogency/protocol/options";
import { takenIds } from "../adapter/checked-numbers.ts";
import { checkedStore } from "../adapter/checked-store.ts";
import { cleanEvents } from "../adapter/clean-events.ts";
import { eventRows } from "../adapter/event-rows.ts";
import { followLog } from "../adapter/follow-log.ts";
import { liveHub } from "../adapter/live-hub.ts";
import { ConflictError, StoreError } from "../errors.ts";
import type { Store } from "../store.ts";
import { createKeyedChanges, keyName } from "./keyed-changes.ts";
import { memoryInbox } from "./memory-inbox.ts";
import { memoryLeases } from "./memory-leases.ts";
import { memoryLogs } from "./memory-logs.ts";
import { memoryProfiles } from "./memory-profiles.ts";
import { memorySlots } from "./memory-slots.ts";
import { memoryWakes } from "./memory-wakes.ts";
import { MemoryWatch } from "./memory-watch.ts";

export interface MemoryStoreOptions {
  /**
   * Returns Unix time in milliseconds: leases, claims and slots expire by it, and messages and wakes come due by it. Defaults
   * to `Date.now`. `watchWakes` waits with timers of the machine, and looks at this clock when one fires.
   */
  clock?: (() => number) | undefined;
}

const volatile = new WeakSet<Store>();

/** A store in memory. Its data ends with the process. Runs in Node, browsers and workers. Throws TypeError for wrong options. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkOptions("memoryStore", options, { clock: callback } satisfies OptionTable<MemoryStoreOptions>);
  const { clock = Date.now } = options;
  const logs = memoryLogs();
  const profiles = memoryProfiles();
  const inbox = memoryInbox(clock);
  const wakes = memoryWakes(clock, inbox, refuseIfClosed);
  const leases = memoryLeases(clock, refuseIfClosed, wakes);
  const changes = createKeyedChanges();
  const posts = createKeyedChanges();
  const hub = liveHub();
  let isClosed = false;

  const store = checkedStore({
    async append(key, events, { expected, batch, lease, takes, scope } = {}) {
      refuseIfClosed();
      const cleaned = cleanEvents(events);
      const rows = eventRows(cleaned);
      const taken = takenIds(takes, events);
      const name = keyName(key);
      const stored = logs.resultOf(key, batch);
      if (stored !== undefined) return stored;
      leases.check(key, lease);
      const actual = logs.lastOf(key);
      if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual);
      inbox.check(name, taken);
      if (cleaned.length === 0) return actual;

      inbox.take(name, taken);
      const last = logs.add(key, cleaned, rows, batch);
      wakes.written(key, scope);
      if (taken.length > 0) wakes.inboxChanged(key);
      changes.announce(name);
      return last;
    },

    load: unlessClosed(logs.load),
    conversations: unlessClosed(logs.conversations),
    search: unlessClosed(logs.search),
    loadProfile: unlessClosed(profiles.loadProfile),
    saveProfile: unlessClosed(profiles.saveProfile),
    deleteProfile: unlessClosed(profiles.deleteProfile),

    async delete(key) {
      refuseIfClosed();
      const name = keyName(key);
      leases.remove(key);
      logs.remove(key);
      inbox.remove(name);
      const existed = wakes.remove(name);
      changes.announce(name);
      posts.announce(name);
      return existed;
    },

    async lease(key, options) {
      refuseIfClosed();
      return leases.grant(key, options);
    },

    renew: leases.renew,

    follow(key, options = {}) {
      const name = keyName(key);
      const page = logs.reader(key);
      const read = async (after: number) => {
        refuseIfClosed();
        return page(after);
      };
      return followLog({ read, change: (signal) => changes.next(name, signal) }, options);
    },

    async post(key, message, options) {
      refuseIfClosed();
      const name = keyName(key);
      if (!inbox.post(name, message, options)) return;
      wakes.written(key, options.scope);
      wakes.inboxChanged(key);
      changes.announce(name);
      posts.announce(name);
    },

    async inbox(key) {
      refuseIfClosed();
      return inbox.read(keyName(key));
    },

    watch(key, { of = "all", signal } = {}) {
      const name = keyName(key);
      return new MemoryWatch(of === "posts" ? posts : changes, name, refuseIfClosed, signal);
    },

    wake: wakes.wake,
    claim: wakes.claim,
    done: wakes.done,
    defer: wakes.defer,
    renewClaim: wakes.renewClaim,
    park: wakes.park,
    unpark: wakes.unpark,
    parked: wakes.parked,
    queue: wakes.queue,
    nextWake: wakes.nextWake,
    watchWakes: wakes.watchWakes,
    ...memorySlots(clock, refuseIfClosed),
    owner: undefined,
    live: hub.live,

    async close() {
      isClosed = true;
      hub.close();
      logs.clear();
      profiles.clear();
      inbox.clear();
      wakes.close();
      changes.announceAll();
      posts.announceAll();
    },
  });
  volatile.add(store);
  return store;

  function refuseIfClosed(): void {
    if (isClosed) throw new StoreError("closed", "The store was closed. Create a new one.");
  }

  function unlessClosed<Args extends unknown[], Value>(method: (...args: Args) => Promise<Value>) {
    return async (...args: Args): Promise<Value> => {
      refuseIfClosed();
      return method(...args);
    };
  }
}

/** Whether a store is known to lose everything with the process: one of `memoryStore`. Any other store counts as one that lasts. */
export function isVolatile(store: Store): boolean {
  return volatile.has(store);
}
