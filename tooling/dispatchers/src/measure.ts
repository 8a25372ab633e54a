import { setTimeout } from "node:timers/promises";
import { wakingStore } from "@cogency/worker";
import type { Addresses, Open, Opened } from "./contenders.ts";
import type { Counter } from "./counter.ts";

export interface Measured {
  /** Milliseconds from the call of `post` until a handler is called, sorted. */
  latencies: number[];
  /** Statements of PostgreSQL, from `post` until the claim is settled. */
  statementsEach: number;
  /** Statements of PostgreSQL a second for each worker, while nothing happens. */
  idleStatements: number;
  /** Connections to PostgreSQL of all workers and the sender. */
  connections: number;
}

export interface MeasureOptions {
  workers: number;
  messages: number;
  /** Milliseconds of the measurement of what happens while nothing does. */
  idle: number;
}

/** Sends one message after another to workers that claim, settle and do nothing else. */
export async function measure(
  open: Open,
  addresses: Addresses,
  counter: Counter,
  { workers, messages, idle }: MeasureOptions,
): Promise<Measured> {
  const database = new URL(addresses.postgres).pathname.slice(1);
  const statements = () => counter.statements(database);
  const opened = await Promise.all(Array.from({ length: workers + 1 }, () => open(addresses)));
  const [sender, ...others] = opened as [Opened, ...Opened[]];
  const waiting = new Map<string, (now: number) => void>();
  const stops = await Promise.all(
    others.map(({ store, dispatcher }) =>
      dispatcher.work(async () => {
        const called = performance.now();
        const claims = await store.claim({ owner: "bench", limit: 16, ttl: 30_000 });
        for (const claim of claims) {
          await store.done(claim);
          waiting.get(claim.key.conversation)?.(called);
        }
      }),
    ),
  );
  const store = wakingStore(sender.store, sender.dispatcher);
  const send = async (conversation: string): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    waiting.set(conversation, resolve);
    const begun = performance.now();
    await store.post({ conversation }, { kind: "prompt", content: "?" }, { id: conversation });
    return (await promise) - begun;
  };
  for (let index = 0; index < 20; index++) await send(`warm-up ${index}`);
  await setTimeout(2000);

  const idleBefore = await statements();
  await setTimeout(idle);
  const idleCalls = (await statements()) - idleBefore;

  const before = await statements();
  const begun = performance.now();
  const latencies: number[] = [];
  for (let index = 0; index < messages; index++) {
    latencies.push(await send(`${index}`));
    await setTimeout(60 + 40 * Math.random());
  }
  const elapsed = performance.now() - begun;
  const idleMeanwhile = (idleCalls / idle) * elapsed;
  const calls = (await statements()) - before;
  const connections = await counter.connections(database);
  for (const stop of stops) await stop();
  for (const { close } of opened) await close();
  return {
    latencies: latencies.sort((a, b) => a - b),
    statementsEach: (calls - idleMeanwhile) / messages,
    idleStatements: idleCalls / (idle / 1000) / workers,
    connections,
  };
}
