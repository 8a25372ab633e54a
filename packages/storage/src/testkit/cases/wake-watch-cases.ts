import { assert, assertEqual, pause } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import type { Claim, WatchWakesOptions } from "../../wakes.ts";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { day, hour } from "../samples/times.ts";
import { claimAll, claimOne } from "./claiming.ts";
import { timeOf } from "./store-time.ts";
import { type Watcher, watcherOf } from "./watcher.ts";

/** Prepares what becomes due after the returned function was called, at the time that it returns, if it is not now. */
type Arrange = (store: Store) => Promise<() => Promise<unknown>>;

const soon = 80;

const becomingDue: Readonly<Record<string, Arrange>> = {
  "a message is posted": async (store) => () => store.post(key, prompt("x"), { id: "a" }),
  "the time of a message comes": async (store) => async () => {
    const at = (await timeOf(store)) + soon;
    await store.post(key, prompt("x"), { id: "a", at });
    return at;
  },
  "the time of a timer comes": async (store) => async () => {
    const at = (await timeOf(store)) + soon;
    await store.wake(key, { id: "a", at });
    return at;
  },
  "a timer is set for the past": async (store) => () => store.wake(key, { id: "a", at: 0 }),
  "a timer is moved to an earlier time": async (store) => {
    const now = await timeOf(store);
    await store.wake(key, { id: "a", at: now + hour });
    return async () => {
      const at = (await timeOf(store)) + soon;
      await store.wake(key, { id: "a", at });
      return at;
    };
  },
  "the time of a claim is over": async (store) => {
    await store.wake(key, { id: "a", at: 0 });
    const { expiresAt } = await claimOne(store, { ttl: 3 * soon });
    return async () => expiresAt;
  },
  "a claim is done, and something came since": async (store) => {
    await store.wake(key, { id: "a", at: 0 });
    const claim = await claimOne(store);
    await store.wake(key, { id: "a", at: 0 });
    return () => store.done(claim);
  },
  "a claim is deferred to a time that comes": async (store) => {
    await store.wake(key, { id: "a", at: 0 });
    const claim = await claimOne(store);
    return async () => {
      const at = (await timeOf(store)) + soon;
      await store.defer(claim, at);
      return at;
    };
  },
  "a lease ends that nobody released": async (store) => {
    await store.append(key, remarks(1));
    return async () => (await store.lease(key, { owner: "one", ttl: soon })).expiresAt;
  },
  "a renewal makes a lease end sooner": async (store) => {
    await store.append(key, remarks(1));
    const lease = await store.lease(key, { owner: "one", ttl: hour });
    return async () => {
      await lease.renew(soon);
      return lease.expiresAt;
    };
  },
  "the lease of a deferred conversation is released": async (store) => {
    await store.append(key, remarks(1));
    await store.wake(key, { id: "a", at: 0 });
    const lease = await store.lease(key, { owner: "one", ttl: hour });
    await store.defer(await claimOne(store), (await timeOf(store)) + hour);
    return () => lease.release();
  },
  "a conversation is unparked": async (store) => {
    await store.wake(key, { id: "a", at: 0 });
    await store.park(await claimOne(store), "x");
    return () => store.unpark(key);
  },
};

/** When those are woken who wait for something to do. */
export const wakeWatchCases: Case[] = [
  {
    name: "watchWakes yields at once if something is due already",
    async check({ store, patience }) {
      await store.post(key, prompt("x"), { id: "a" });
      const watcher = watcherOf(store.watchWakes(), patience);
      await watcher.yields("at once");
      await claimOne(store);
      await watcher.isQuiet("after everything was claimed");
      await watcher.leave();
    },
  },
  ...Object.entries(becomingDue).map(
    ([what, arrange]): Case => ({
      name: `watchWakes yields when ${what}`,
      async check({ store, patience }) {
        const happen = await arrange(store);
        const watcher = watcherOf(store.watchWakes(), patience);
        const claimed = firstClaim(store, watcher, what);
        await pause(20);
        const at = await happen();
        const { claimedAt } = await claimed;
        if (typeof at === "number") assert(claimedAt >= at, `It was due ${at - claimedAt} ms after the claim.`);
        await watcher.leave();
      },
    }),
  ),
  {
    name: "watchWakes does not yield before something is due, however far away that is",
    async check({ store, patience }) {
      const now = await timeOf(store);
      await store.append(key, remarks(1));
      const times = [now + hour, now + 25 * day, now + 100 * day, Number.MAX_VALUE];
      for (const at of times) {
        await store.wake({ conversation: `timer ${at}` }, { id: "a", at, scope: `${at}` });
        await store.post({ conversation: `message ${at}` }, prompt("x"), { id: "a", at, scope: `${at}` });
      }
      const scopes = [undefined, ...times.map((at) => `${at}`)];
      const watchers = scopes.map((scope) => watcherOf(store.watchWakes({ scope }), patience));
      await Promise.all(watchers.map((watcher) => watcher.isQuiet("while nothing is due")));
      for (const watcher of watchers) await watcher.leave();
    },
  },
  {
    name: "watchWakes misses nothing, however close it comes to the start of the wait",
    async check({ store, patience }) {
      const watcher = watcherOf(store.watchWakes(), patience);
      let found = 0;
      for (let turn = 1; turn <= 100; turn++) {
        const isWaiting = turn % 3 > 0;
        const waits = isWaiting ? firstClaim(store, watcher, `in turn ${turn}`) : undefined;
        for (let tick = turn % 7; tick > 0; tick--) await Promise.resolve();
        if (turn % 10 === 0) await pause(2);
        const conversation = `${turn}`;
        const posted =
          turn % 2 === 0
            ? store.post({ conversation }, prompt("x"), { id: "a" })
            : store.wake({ conversation }, { id: "a", at: 0 });
        if (!isWaiting) await posted;
        const claim = await (waits ?? firstClaim(store, watcher, `something came before the wait of turn ${turn}`));
        assertEqual(claim.key, { conversation }, "what is claimed");
        await posted;
        await store.done(claim);
        found += 1;
      }
      assertEqual(found, 100, "the number of claims");
    },
  },
  {
    name: "watchWakes yields to workers until they have claimed everything that becomes due",
    async check({ store, patience }) {
      const claimed: string[] = [];
      const workers = Array.from({ length: 4 }, async () => {
        const watcher = watcherOf(store.watchWakes(), patience);
        while (claimed.length < 40) {
          for (const { key } of await claimAll(store, { limit: 3 })) claimed.push(key.conversation);
          if (claimed.length < 40) await Promise.race([watcher.yields("to a worker"), pause(50)]);
        }
        await watcher.leave();
      });
      const now = await timeOf(store);
      for (let index = 0; index < 40; index++) {
        const at = index % 2 === 0 ? now : now + 2 * index;
        await store.wake({ conversation: `${index}`, user: `user ${index % 3}` }, { id: "a", at });
      }
      await Promise.all(workers);
      assertEqual(new Set(claimed).size, 40, "the number of different conversations");
    },
  },
  {
    name: "watchWakes yields for its scope only",
    async check({ store, patience }) {
      const watchers = [undefined, "a", ""].map((scope) => watcherOf(store.watchWakes({ scope }), patience));
      const [none, a, empty] = watchers as [Watcher, Watcher, Watcher];
      const post = async () => {
        await pause(20);
        await store.post(key, prompt("x"), { id: "a", scope: "a" });
      };
      await Promise.all([
        a.yields("in the scope of the message"),
        none.isQuiet("to those without a scope", post),
        empty.isQuiet("in the empty scope", post),
      ]);
      for (const watcher of watchers) await watcher.leave();
    },
  },
  {
    name: "watchWakes ends when its signal is aborted, also while it waits, and may be left",
    async check({ store, patience }) {
      await store.wake({ conversation: "later" }, { id: "a", at: (await timeOf(store)) + hour });
      await watcherOf(store.watchWakes({ signal: AbortSignal.abort() }), patience).ends();
      const waiting = new AbortController();
      const end = watcherOf(store.watchWakes({ signal: waiting.signal }), patience).ends();
      const other = watcherOf(store.watchWakes(), patience);
      const left = other.next();
      await pause(30);
      waiting.abort();
      await end;
      await other.leave();
      assertEqual((await left).done, true, "whether the iteration that was left is over");
      await store.wake(key, { id: "a", at: 0 });
      for await (const _ of store.watchWakes()) break;
      await claimOne(store);
    },
  },
  {
    name: "watchWakes throws `closed` when the store is closed, also while it waits",
    async check({ store, patience }) {
      const watcher = watcherOf(store.watchWakes(), patience);
      const failure = assertRejects(watcher.yields("at the close"), "closed", "waiting while the store is closed");
      failure.catch(() => {});
      await pause(30);
      await store.close();
      await failure;
      await assertRejects(watcherOf(store.watchWakes(), patience).next(), "closed", "watching in a closed store");
    },
  },
];

/** Claims after each yield until there is something to claim. */
export async function firstClaim(
  store: Pick<Store, "claim">,
  watcher: Watcher,
  what: string,
  { scope }: WatchWakesOptions = {},
): Promise<Claim> {
  for (;;) {
    await watcher.yields(`when ${what}`);
    const [claim] = await claimAll(store, { limit: 1, scope });
    if (claim) return claim;
  }
}
