import type { Claim, InboxMessage } from "@cogency/storage";
import { columns, median, ratioOf, type Target } from "@tooling/bench";
import { postgresStore } from "../src/index.ts";
import { bareInbox } from "./bare-inbox.ts";
import { eventOf } from "./events.ts";

const rounds = 40;
const warmup = 5;
const message: InboxMessage = { kind: "prompt", content: "The quick brown fox. ".repeat(15) };
const conversations = Array.from({ length: 50 }, (_, index) => `talk ${index}`);

const steps = ["post", "claim", "append with takes", "done"] as const;

/** How much longer than a bare statement each may take. A claim takes turns between users, and several reasons. */
const most = { post: 5, claim: 15, "append with takes": 5, done: 8 };

/** The steps of a worker, each for all conversations. `id` is that of this round's messages. */
type Side = Record<(typeof steps)[number], (id: string) => Promise<void>>;

/** Compares each step of a message with one bare statement, by elapsed time, because the server takes most of it. */
export async function inbox(url: string): Promise<Target[]> {
  const [bare, store] = [await bareSide(url), await storeSide(url)];
  const times = steps.map((step) => ({
    step,
    bare: { name: "bare", times: [] as number[] },
    store: { name: "store", times: [] as number[] },
  }));
  for (let round = -warmup; round < rounds; round++) {
    for (const side of round % 2 ? (["bare", "store"] as const) : (["store", "bare"] as const)) {
      for (const one of times) {
        const start = performance.now();
        await (side === "bare" ? bare : store)[one.step](String(round));
        if (round >= 0) one[side].times.push(performance.now() - start);
      }
    }
  }
  await Promise.all([bare.close(), store.close()]);
  const microseconds = (list: readonly number[]) => `${((1000 * median(list)) / conversations.length).toFixed(0)} µs`;
  const rows = times.map((one) => [
    one.step,
    microseconds(one.bare.times),
    microseconds(one.store.times),
    `${ratioOf(one.store, one.bare).toFixed(2)}×`,
  ]);
  const title = `a message of each of ${conversations.length} conversations, one after the other, by the clock`;
  console.log(
    [title, ...columns([["", "bare statement", "store", ""], ...rows]).map((line) => `  ${line}`), ""].join("\n"),
  );
  return times.map((one) => ({
    what: `${one.step} beside a bare statement`,
    value: ratioOf(one.store, one.bare),
    unit: "×",
    most: most[one.step],
  }));
}

async function bareSide(url: string): Promise<Side & { close(): Promise<void> }> {
  const bare = await bareInbox(url);
  let claimed: string[] = [];
  return {
    post: (id) => each(conversations, (conversation) => bare.post(conversation, id, message)),
    async claim() {
      for (const _ of conversations) claimed.push((await bare.claim()) ?? "");
    },
    "append with takes": (id) => each(conversations, (conversation) => bare.take(conversation, id, eventOf(0))),
    async done() {
      await each(claimed, bare.done);
      claimed = [];
    },
    close: bare.close,
  };
}

async function storeSide(url: string): Promise<Side & { close(): Promise<void> }> {
  const store = await postgresStore({ url });
  let claims: Claim[] = [];
  return {
    post: (id) => each(conversations, (conversation) => store.post({ conversation }, message, { id })),
    async claim() {
      for (const _ of conversations) claims.push(...(await store.claim({ owner: "worker", limit: 1, ttl: 3_600_000 })));
    },
    "append with takes": (id) =>
      each(conversations, (conversation) => store.append({ conversation }, [eventOf(0)], { takes: [id] })),
    async done() {
      await each(claims, store.done);
      claims = [];
    },
    close: store.close,
  };
}

async function each<T>(values: readonly T[], run: (value: T) => Promise<unknown>): Promise<void> {
  for (const value of values) await run(value);
}
