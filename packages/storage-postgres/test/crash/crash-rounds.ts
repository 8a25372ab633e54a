import { setTimeout } from "node:timers/promises";
import type { PostgresServer } from "@tooling/postgres";
import postgres from "postgres";
import { runProcess } from "../support/run-process.ts";
import { checkStore } from "./check-store.ts";
import { type Expected, expectWork, type Work } from "./expected.ts";
import type { Report } from "./writer-process.ts";

/** What fails during a round, while the writers work. The writers themselves are killed at the end of every round. */
export const strikes = ["writers", "server", "backends", "connections"] as const;
export type Strike = (typeof strikes)[number];

/**
 * One round: writers work on the database at `url`, `strike` causes a failure, the writers continue and are killed, and
 * the store is checked.
 */
export async function crashRound(
  server: PostgresServer,
  url: string,
  expected: Expected,
  { round, strike }: { round: number; strike: Strike },
): Promise<void> {
  const writers = ["a", "b", "c"].map((writer) => startWriter(url, writer, `r${round}${writer}`));
  const operations = () => writers.reduce((sum, { work }) => sum + work.acknowledged.length, 0);
  const some = 20 + Math.floor(Math.random() * 200);
  // Opening does not retry without a server, so all writers must be at work before the failure.
  const areAtWork = () => operations() >= some && writers.every(({ work }) => work.acknowledged.length > 0);
  try {
    await until(areAtWork, writers);
    await setTimeout(Math.random() * 5);
    if (strike !== "writers") {
      await hit(server, url, strike);
      const before = operations();
      await until(() => operations() >= before + some, writers);
      await setTimeout(Math.random() * 5);
    }
  } finally {
    for (const { kill } of writers) kill();
  }
  for (const { work, ended } of writers) {
    await ended;
    expectWork(expected, work);
  }
  await checkStore(url, expected, `r${round}`);
}

interface Writer {
  work: Work;
  kill(): void;
  /** Rejects if it failed before it was killed. */
  ended: Promise<void>;
}

function startWriter(url: string, writer: string, run: string): Writer {
  const child = runProcess("../crash/writer-process.ts", url, writer, run);
  const work: Work = { writer, acknowledged: [], pending: undefined };
  const ended = (async () => {
    for await (const line of child.lines) {
      const report: Report = JSON.parse(line);
      if ("begin" in report) {
        work.pending = report.begin;
      } else if (work.pending) {
        work.acknowledged.push({ operation: work.pending, result: report.done });
        work.pending = undefined;
      }
    }
    const { signal, complaint } = await child.ended;
    if (signal !== "SIGKILL")
      throw new Error(`Writer ${writer} failed at ${JSON.stringify(work.pending)}: ${complaint}`);
  })();
  ended.catch(() => {});
  return { work, ended, kill: () => child.kill("SIGKILL") };
}

async function until(isReached: () => boolean, writers: readonly Writer[]): Promise<void> {
  const failed = Promise.race(writers.map(({ ended }) => ended));
  const deadline = Date.now() + 90_000;
  while (!isReached()) {
    if (Date.now() > deadline) throw new Error("The writers do not get on.");
    await Promise.race([setTimeout(5), failed]);
  }
}

async function hit(server: PostgresServer, url: string, strike: Exclude<Strike, "writers">): Promise<void> {
  if (strike === "server") return server.restart("kill");
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  const database = new URL(url).pathname.slice(1);
  try {
    const backends = await admin<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE datname = ${database}`;
    if (strike === "connections") {
      await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${database}`;
    } else {
      const victim = backends[Math.floor(Math.random() * backends.length)];
      if (victim) kill(victim.pid);
    }
  } finally {
    await admin.end({ timeout: 1 });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in between.
  }
}
