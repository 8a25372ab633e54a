import { assertEqual, pause } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { trickyKeys } from "../samples/tricky-names.ts";
import { idsOf } from "./inbox-cases.ts";
import { type Watcher, watcherOf } from "./watcher.ts";

/** When the watcher of a conversation is woken. It may be woken more often than its conversation changes. */
export const watchCases: Case[] = [
  {
    name: "watch yields at once, and after every append, post and delete",
    async check({ store, patience }) {
      const watcher = watcherOf(store.watch(key), patience);
      await watcher.yields("at once, for a key that was never written");
      const changes: Record<string, () => Promise<unknown>> = {
        "after a post": () => store.post(key, prompt("x"), { id: "a" }),
        "after an append": () => store.append(key, remarks(1)),
        "after an append that takes a message": () => store.append(key, remarks(1), { takes: ["a"] }),
        "after a post for later": () => store.post(key, prompt("x"), { id: "b", at: 1e15 }),
        "after a delete": () => store.delete(key),
        "after a post to the deleted conversation": () => store.post(key, prompt("x"), { id: "a" }),
      };
      for (const [what, change] of Object.entries(changes)) {
        const woken = watcher.yields(what);
        await pause(5);
        await change();
        await woken;
      }
      await watcher.leave();
    },
  },
  {
    name: "watch misses no change, however close it is to the start of the wait",
    async check({ store, patience }) {
      const watcher = watcherOf(store.watch(key), patience);
      await watcher.yields("at once");
      for (let turn = 1; turn <= 100; turn++) {
        const isWaiting = turn % 3 > 0;
        const woken = isWaiting ? watcher.yields(`in turn ${turn}`) : undefined;
        for (let tick = turn % 7; tick > 0; tick--) await Promise.resolve();
        if (turn % 10 === 0) await pause(2);
        const changed =
          turn % 2 === 0 ? store.append(key, remarks(1)) : store.post(key, prompt("x"), { id: `${turn}` });
        if (!isWaiting) await changed;
        await (woken ?? watcher.yields(`after a change that came before the wait of turn ${turn}`));
        await seesAll(store, watcher, turn);
        await changed;
      }
    },
  },
  {
    name: "watch yields to many watchers while many append and post, until each has seen everything",
    async check({ store, patience }) {
      const watchers = Array.from({ length: 10 }, () => watcherOf(store.watch(key), patience));
      for (const watcher of watchers) await watcher.yields("at once");
      const writers = Array.from({ length: 6 }, async (_, writer) => {
        for (let index = 0; index < 10; index++) {
          await store.append(key, remarks(1));
          await store.post(key, prompt("x"), { id: `${writer} ${index}` });
        }
      });
      await Promise.all([...writers, ...watchers.map((watcher) => seesAll(store, watcher, 120))]);
    },
  },
  {
    name: "watch yields to the watchers of each conversation, whatever their names are",
    async check({ store, patience }) {
      const watchers = trickyKeys.map((one) => watcherOf(store.watch(one), patience));
      for (const watcher of watchers) await watcher.yields("at once");
      const woken = watchers.map((watcher, index) => watcher.yields(`after the post to conversation ${index}`));
      for (const one of trickyKeys) await store.post(one, prompt("x"), { id: "a" });
      await Promise.all(woken);
    },
  },
  {
    name: "watch ends when its signal is aborted, also while it waits, and may be left",
    async check({ store, patience }) {
      await watcherOf(store.watch(key, { signal: AbortSignal.abort() }), patience).ends();
      const waiting = new AbortController();
      const waiter = watcherOf(store.watch(key, { signal: waiting.signal }), patience);
      await waiter.yields("at once");
      const end = waiter.ends();
      const other = watcherOf(store.watch(key), patience);
      await other.yields("at once");
      const left = other.next();
      await pause(30);
      waiting.abort();
      await end;
      await other.leave();
      assertEqual((await left).done, true, "whether the iteration that was left is over");
      for await (const _ of store.watch(key)) break;
      const last = watcherOf(store.watch(key), patience);
      await last.yields("at once");
      const woken = last.yields("to the watcher that is left");
      await store.append(key, remarks(1));
      await woken;
    },
  },
  {
    name: "watch throws `closed` when the store is closed, also while it waits",
    async check({ store, patience }) {
      const watcher = watcherOf(store.watch(key), patience);
      await watcher.yields("at once");
      const failure = assertRejects(watcher.yields("at the close"), "closed", "waiting while the store is closed");
      failure.catch(() => {});
      await pause(30);
      await store.close();
      await failure;
      await assertRejects(watcherOf(store.watch(key), patience).next(), "closed", "watching in a closed store");
    },
  },
];

/** Reads after every yield until the conversation has had so many events and messages. */
export async function seesAll(store: Pick<Store, "load" | "inbox">, watcher: Watcher, count: number): Promise<void> {
  for (;;) {
    if ((await store.load(key)).length + (await idsOf(store)).length >= count) return;
    await watcher.yields(`until ${count} events and messages are there`);
  }
}
