import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { PostgresServer } from "@tooling/postgres";
import { Fleet, type Member } from "./fleet.ts";
import { findingsOf } from "./laws.ts";
import { startModelServer } from "./model-server.ts";
import { promptOf } from "./plan.ts";
import { openShop, type ShopOptions } from "./shop.ts";

export interface Play {
  /** The address of an empty database. */
  postgres: string;
  /** The server of it, if it may be restarted. */
  server?: PostgresServer;
  conversations: number;
  /** The most steps of a conversation. */
  steps: number;
  workers: number;
  concurrency: number;
  /** Requests to the model that may be open at one time. */
  limit: number;
  /** Milliseconds that each answer of the model takes. */
  delay: number;
  /** Milliseconds of leases and claims. */
  ttl: number;
  seed: number;
  /** Milliseconds between two blows; none without it. */
  blowEvery?: number;
  /** Milliseconds for which blows fall, and messages are posted, evenly. */
  duration: number;
  /** Milliseconds for everything. */
  patience: number;
}

export interface Outcome {
  problems: string[];
  conversations: number;
  steps: number;
  seconds: number;
  unknown: number;
  blows: Record<"killed" | "frozen" | "upgraded" | "restarted", number>;
  /** The most requests that the model saw open at one time. */
  mostOpen: number;
  fleet: Fleet;
}

/** Plays a fleet of workers on one database under blows, and checks what the logs hold in the end. */
export async function play(options: Play): Promise<Outcome> {
  const { postgres, conversations, workers, limit, ttl, delay, duration, patience } = options;
  const folder = mkdtempSync(join(tmpdir(), "cogency-fleet-"));
  const charges = join(folder, "charges");
  writeFileSync(charges, "");
  const model = await startModelServer(delay);
  const random = randomOf(options.seed);
  const shop: ShopOptions = { postgres, model: model.url, charges, limit, ttl };
  const { store, agent } = await openShop(shop);
  const fleet = new Fleet({ ...shop, concurrency: options.concurrency });
  /** What each process was struck with last, and when by `performance.now()`. */
  const struck = new Map<number | undefined, { how: string; at: number }>();
  const blows = { killed: 0, frozen: 0, upgraded: 0, restarted: 0 };
  const names = Array.from({ length: conversations }, (_, index) => `c${index}`);
  const stepsOf = new Map(names.map((name) => [name, 1 + Math.floor(random() * options.steps)]));
  const isOver = new AbortController();
  let begun = 0;
  try {
    await Promise.all(Array.from({ length: workers }, () => fleet.start()));
    begun = performance.now();
    const striking = options.blowEvery === undefined ? undefined : strike();
    await post();
    await striking;
    await ended();
    const seconds = (performance.now() - begun) / 1000;
    return { ...(await judged()), conversations, seconds, blows, mostOpen: model.most.length, fleet };
  } finally {
    isOver.abort();
    await fleet.end();
    await store.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }

  async function post(): Promise<void> {
    for (const [index, name] of names.entries()) {
      const to = { conversation: name, user: `user-${index % 97}` };
      const content = promptOf(stepsOf.get(name) ?? 1);
      await agent.send(to, { kind: "prompt", content }, { id: "prompt" });
      const early = begun + (duration * index) / conversations - performance.now();
      if (early > 0) await pause(early);
    }
  }

  async function strike(): Promise<void> {
    while (performance.now() - begun < duration) {
      await pause((0.5 + random()) * (options.blowEvery ?? 0));
      await blow(random());
    }
  }

  async function blow(chance: number): Promise<void> {
    const member = pick(fleet.members.filter(({ isFrozen }) => !isFrozen));
    if (!member) return;
    const strikes = (how: string) => struck.set(member.child.pid, { how, at: performance.now() });
    if (chance < 0.05 && options.server) {
      blows.restarted++;
      const { server } = options;
      const how = random() < 0.5 ? "fast" : "immediate";
      await fleet.restarting(() => server.restart(how));
    } else if (chance < 0.25) {
      blows.frozen++;
      strikes("frozen");
      freeze(member);
    } else if (chance < 0.5) {
      blows.upgraded++;
      strikes("drained");
      await fleet.drain(member);
      await fleet.start();
    } else {
      blows.killed++;
      strikes("killed");
      fleet.strike(member, "kill");
      await fleet.start();
    }
  }

  /** Stands still for twice its lease, while others go on. */
  function freeze(member: Member): void {
    fleet.strike(member, "freeze");
    member.isFrozen = true;
    void pause(ttl * 2, undefined, { signal: isOver.signal }).then(
      () => {
        member.isFrozen = false;
        member.child.kill("SIGCONT");
      },
      () => {},
    );
  }

  async function ended(): Promise<void> {
    for (;;) {
      if ((await store.nextWake()) === undefined) return;
      if (performance.now() - begun > patience)
        throw new Error(`Not all ended in ${patience / 1000} s: ${told(fleet)}`);
      await pause(100);
    }
  }

  async function judged(): Promise<Pick<Outcome, "problems" | "steps" | "unknown">> {
    const lines = new Map<string, string[]>();
    for (const line of readFileSync(charges, "utf8").split("\n").filter(Boolean)) {
      const name = line.slice(0, line.indexOf(" "));
      lines.set(name, [...(lines.get(name) ?? []), line]);
    }
    const found = { problems: [] as string[], steps: 0, unknown: 0 };
    for (const [index, name] of names.entries()) {
      const log = await store.load({ conversation: name, user: `user-${index % 97}` });
      const { problems, steps, unknown } = findingsOf(name, stepsOf.get(name) ?? 0, log, lines.get(name) ?? []);
      found.problems.push(...problems);
      found.steps += steps;
      found.unknown += unknown;
    }
    for (const { key, reason } of await store.parked()) found.problems.push(`${key.conversation} is parked: ${reason}`);
    if (model.most.length > limit) found.problems.push(`${model.most.length} requests were open: ${mostOpen()}`);
    return found;
  }

  /** Who sent the requests that were open together, and what had befallen them. */
  function mostOpen(): string {
    const now = model.most.at(-1)?.at ?? 0;
    const told = model.most.map(({ pid, at }) => {
      const blow = struck.get(pid);
      const fate = blow ? `, ${blow.how} ${Math.round(now - blow.at)} ms before` : "";
      return `one of process ${pid} for ${Math.round(now - at)} ms${fate}`;
    });
    return `${told.join("; ")}. The limit is ${limit}.`;
  }

  function pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(random() * from.length)];
  }
}

/** What a fleet has reported, in one line. */
export function told({ counts, errors }: Fleet): string {
  const seen = [...errors].map(([what, times]) => `${times} × ${what}`);
  return [JSON.stringify(counts), ...seen].join("\n  ");
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
