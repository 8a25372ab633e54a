import { join } from "node:path";
import type { InboxMessage, Store } from "@cogency/storage";
import { compare, type Target } from "@tooling/bench";
import { sqliteStore } from "../src/index.ts";
import { type BareInbox, bareInbox } from "./bare-inbox.ts";
import { eventOf } from "./events.ts";

const operations = 500;
const key = { conversation: "c" };
const message: InboxMessage = { kind: "prompt", content: "The quick brown fox. ".repeat(5) };

/** Compares messages and claims with their statements through node:sqlite. */
export async function messaging(folder: string): Promise<Target[]> {
  const bare = bareInbox(join(folder, "bare-inbox.db"));
  const store = await sqliteStore({ path: join(folder, "inbox.db") });
  await store.append(key, [eventOf(0)]);
  const targets: Target[] = [];
  for (const [what, runBare, run] of contenders(bare, store)) {
    const [, ours] = await compare(what, { rounds: 15 }, [
      { name: "its statements, through node:sqlite", floor: true, operations, run: runBare },
      { name: "sqliteStore", operations, run },
    ]);
    targets.push({ what, value: 100 / (ours?.ratio ?? Number.NaN), unit: "%", least: 50 });
  }
  bare.close();
  await store.close();
  return targets;
}

function contenders(bare: BareInbox, store: Store): [what: string, bare: () => void, store: () => Promise<void>][] {
  const next = { bare: 0, store: 0 };
  const text = JSON.stringify(message);
  const event = JSON.stringify(eventOf(0));
  return [
    [
      "post a message, and append an event that takes it",
      () => {
        for (let count = 0; count < operations; count++) {
          const id = JSON.stringify(`message ${next.bare++}`);
          bare.post(id, text);
          bare.take(id, event);
        }
      },
      async () => {
        for (let count = 0; count < operations; count++) {
          const id = `message ${next.store++}`;
          await store.post(key, message, { id });
          await store.append(key, [eventOf(0)], { takes: [id] });
        }
      },
    ],
    [
      "set a timer, claim the conversation, end the claim",
      () => {
        for (let count = 0; count < operations; count++) bare.look();
      },
      async () => {
        for (let count = 0; count < operations; count++) {
          await store.wake(key, { id: "t", at: 1 });
          const [claim] = await store.claim({ owner: "o", limit: 1, ttl: 60_000 });
          if (claim) await store.done(claim);
        }
      },
    ],
  ];
}
