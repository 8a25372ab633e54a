import { loadavg } from "node:os";
import { columns } from "@tooling/bench";
import { findPostgres } from "@tooling/postgres";
import postgres from "postgres";
import { claiming } from "./claims.ts";
import { costs } from "./costs.ts";
import { floorRate, floors, warmup, window } from "./floors.ts";
import { looks } from "./holders.ts";
import { type Idle, idle } from "./idle.ts";
import { notices } from "./notices.ts";
import { concurrency } from "./processes/serve.ts";
import { type BenchServer, settings, startBenchServer } from "./server.ts";
import { callsOf, named } from "./statements.ts";
import { backlogs, type Throughput, throughput } from "./steps.ts";

/** `pnpm bench`: what workers do in a second beside what they are made of, and what a step asks of the database. */
async function main(bench: BenchServer): Promise<void> {
  await printSettings(bench.server.url);
  const eventSize = await printCosts(bench);
  await printRates(bench, eventSize);
  await printClaims(bench);
  await printIdle(bench);
  await printNotices(bench);
  await printLooks(bench);
  console.log(`load at the end: ${load()}`);
}

const counts = [1, 2, 4] as const;

async function printSettings(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  const [row] = await sql`
    SELECT split_part(version(), ' on ', 1) AS version, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commit, current_setting('shared_buffers') AS buffers`;
  await sql.end();
  const own = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  console.log(`Node ${process.version}, ${row?.version}; load ${load()}`);
  console.log(
    `fsync ${row?.fsync}, synchronous_commit ${row?.commit}, shared_buffers ${row?.buffers}, ${own.join(", ")}`,
  );
  console.log(
    `each process does ${concurrency} things at one time; ${warmup / 1000} s before and ${window / 1000} s of measurement\n`,
  );
}

/** @returns characters of an event */
async function printCosts(bench: BenchServer): Promise<number> {
  const { statements, events, eventSize } = await costs(bench);
  const rows = [...statements].sort(([, a], [, b]) => b.step - a.step || b.conversation - a.conversation);
  const all = { conversation: 0, step: 0 };
  for (const [, { conversation, step }] of rows) {
    all.conversation += conversation;
    all.step += step;
  }
  const line = (name: string, { conversation, step }: typeof all) => [name, step.toFixed(2), conversation.toFixed(2)];
  print("Statements of one worker that takes one conversation after the other", [
    ["", "a step", "a conversation"],
    ...rows.map(([name, cost]) => line(name, cost)),
    line("all statements", all),
  ]);
  const inBlocks = statements.has("BEGIN") ? "" : "; no statement is BEGIN: each is a transaction";
  console.log(`  a step stores ${events.toFixed(1)} events of ${eventSize} characters${inBlocks}\n`);
  return eventSize;
}

async function printRates(bench: BenchServer, eventSize: number): Promise<void> {
  const rows: string[][] = [];
  for (const floor of floors(eventSize)) {
    const row = [floor.name];
    for (const count of counts) {
      row.push((await bench.inDatabase((url) => floorRate(floor, count, url))).toFixed(0));
    }
    rows.push(row);
  }
  const measured: [string, Throughput][] = [];
  const contenders = [
    ["storeDispatcher", backlogs.long],
    ["storeDispatcher", backlogs.short],
    ["pg-boss", backlogs.short],
  ] as const;
  for (const [dispatcher, backlog] of contenders) {
    const name = `step, ${dispatcher}, ${backlog.name}`;
    const row = [name];
    for (const count of counts) {
      const one = await throughput(bench, dispatcher, count, backlog);
      row.push(one.rate.toFixed(0));
      measured.push([`${name}, ${count} ${count === 1 ? "worker" : "workers"}`, one]);
    }
    rows.push(row);
  }
  print("A second, by processes", [["", ...counts.map(String)], ...rows]);
  const perStep = (value: number, { count }: Throughput) => (value / count).toFixed(2);
  print("A step of workers that always have enough to do", [
    ["", "statements", "syncs", "WAL", "CPU of workers", "of the server", "connections"],
    ...measured.map(([name, one]) => [
      name,
      perStep(callsOf(one.tally), one),
      perStep(one.tally.syncs, one),
      `${(one.tally.wal / one.count / 1000).toFixed(1)} kB`,
      `${perStep(one.cpu, one)} ms`,
      `${perStep(one.serverCpu, one)} ms`,
      String(one.connections),
    ]),
  ]);
  for (const [name, { tally, count }] of measured.filter(([name]) => /2 workers/.test(name))) {
    print(`Statements of ${name}`, [
      ["", "a step", "ms each", "ms a step"],
      ...[...named(tally)]
        .sort(([, a], [, b]) => b.time - a.time)
        .map(([name, { calls, time }]) => [
          name,
          (calls / count).toFixed(2),
          (time / calls).toFixed(3),
          (time / count).toFixed(3),
        ]),
    ]);
  }
}

async function printClaims(bench: BenchServer): Promise<void> {
  const rows = [["", "in the server"]];
  for (const due of [1, 100, 1000, 5000]) {
    rows.push([`${due} due`, `${(await claiming(bench, due)).time.toFixed(2)} ms`]);
  }
  print("Claim of one conversation by a lone worker", rows);
}

async function printIdle(bench: BenchServer): Promise<void> {
  const workers: [string, Idle][] = [
    ["storeDispatcher", await idle(bench, { dispatcher: "storeDispatcher" })],
    ["storeDispatcher, liveness", await idle(bench, { dispatcher: "storeDispatcher", liveness: true })],
    ["pg-boss", await idle(bench, { dispatcher: "pg-boss" })],
  ];
  for (const [name, { statements, connections }] of workers) {
    const rows = [...statements].sort(([, a], [, b]) => b.rate - a.rate);
    const rate = rows.reduce((sum, [, { rate }]) => sum + rate, 0);
    print(`One idle worker, ${name}: ${rate.toFixed(1)} statements a second, ${connections} connections`, [
      ["", "a second", "ms each"],
      ...rows.map(([name, { rate, time }]) => [name, rate.toFixed(2), time.toFixed(3)]),
    ]);
  }
}

async function printNotices(bench: BenchServer): Promise<void> {
  const rows = [["", "a second", "CPU of the server each"]];
  for (const listeners of [0, 1, 10, 40, 100]) {
    const { rate, cpu } = await notices(bench, listeners);
    rows.push([`${listeners} listeners`, rate.toFixed(0), `${cpu.toFixed(3)} ms`]);
  }
  print("NOTIFY, one after the other", rows);
}

async function printLooks(bench: BenchServer): Promise<void> {
  const rows = [["", "looks a second", "ms each in the server"]];
  for (const count of [1, 20, 80]) {
    const { rate, time } = await looks(bench, count);
    rows.push([`${count} stores`, rate.toFixed(0), time.toFixed(3)]);
  }
  print("liveness: who is gone?", rows);
}

function print(title: string, rows: string[][]): void {
  console.log([title, ...columns(rows).map((line) => `  ${line}`), ""].join("\n"));
}

function load(): string {
  return loadavg()
    .map((value) => value.toFixed(2))
    .join(" ");
}

if (findPostgres() === undefined) console.log("PostgreSQL was not found: worker is not measured.");
else {
  const bench = await startBenchServer();
  try {
    await main(bench);
  } finally {
    await bench.stop();
  }
}
