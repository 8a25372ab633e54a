import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { createDatabase, startPostgres } from "@tooling/postgres";
import { drill, type Outcome } from "./drill.ts";

// `pnpm soak` runs two-processes.verify.test.ts for longer: DRILLS drills (1 by default) on each store, of SOAK_ROUNDS kills (100 by
// default), beside BUSY_LOOPS threads that do nothing but count (none by default; `cores` for one a core). The first drill has the
// seed KILL_SEED, each further one the next. Ends with 1 if any drill violates a law; the others run all the same.
//
//   DRILLS=100 SOAK_ROUNDS=6 BUSY_LOOPS=cores node test/two-processes/soak.ts
const kills = Number(process.env.SOAK_ROUNDS ?? 100);
const drills = Number(process.env.DRILLS ?? 1);
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007);
const loops = process.env.BUSY_LOOPS === "cores" ? availableParallelism() : Number(process.env.BUSY_LOOPS ?? 0);
const columns = ["prompts", "taken", "refused", "paid", "denied", "cancelled", "unknown"] as const;
const rows = [["store", "drills", "violated", "of the runner", "of the sender", ...columns, "seconds"]];

const busy = Array.from({ length: loops }, () => new Worker("for (;;);", { eval: true }));
const server = await startPostgres();
try {
  await drillAll("SQLite", (options) => drill(options));
  await drillAll("PostgreSQL", async (options) => {
    const { url, drop } = await createDatabase(server.url);
    return drill({ ...options, postgres: url }).finally(drop);
  });
} finally {
  await server.stop();
  await Promise.all(busy.map((worker) => worker.terminate()));
}

console.log(`agent: two processes on one store, seed ${seed}, beside ${loops} busy loops, ${kills} kills a drill`);
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));

async function drillAll(
  store: string,
  once: (options: Parameters<typeof drill>[0]) => Promise<Outcome>,
): Promise<void> {
  const outcomes: Outcome[] = [];
  for (let nth = 0; nth < drills; nth++) {
    try {
      outcomes.push(await once({ seed: seed + nth, kills, patience: 60_000 }));
      if (drills > 1) console.error(`${store}: ${nth + 1} of ${drills} drills, ${outcomes.length} without a violation`);
    } catch (error) {
      console.error(`${store}:`, error);
      process.exitCode = 1;
    }
  }
  const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const counts = [
    drills,
    drills - outcomes.length,
    sum(({ struck }) => struck.runner.length),
    sum(({ struck }) => struck.sender.length),
    ...columns.map((column) => sum((outcome) => outcome[column])),
  ];
  rows.push([store, ...counts.map(String), sum(({ seconds }) => seconds).toFixed(1)]);
}
