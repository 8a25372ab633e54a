import { createDatabase, startPostgres } from "@tooling/postgres";
import { drill, type Outcome } from "./drill.ts";

// `pnpm soak` runs two-processes.test.ts for longer: SOAK_ROUNDS kills on each store (100 by default). KILL_SEED repeats an earlier
// run. Ends with 1 at the first violation of a law.
const kills = Number(process.env.SOAK_ROUNDS ?? 100);
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007);
const patience = 60_000 + kills * 5_000;
const columns = ["prompts", "taken", "refused", "paid", "denied", "cancelled", "unknown"] as const;
const rows = [["store", "kills", "of the runner", "of the sender", ...columns, "seconds"]];

const server = await startPostgres();
try {
  addRow("SQLite", await drill({ seed, kills, patience }));
  const { url } = await createDatabase(server.url);
  addRow("PostgreSQL", await drill({ seed, kills, patience, postgres: url }));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await server.stop();
}

console.log(`agent: two processes on one store, seed ${seed}`);
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));

function addRow(name: string, { struck, seconds, ...tally }: Outcome): void {
  const [ofRunner, ofSender] = [struck.runner.length, struck.sender.length];
  const counts = [ofRunner + ofSender, ofRunner, ofSender, ...columns.map((column) => tally[column])];
  rows.push([name, ...counts.map(String), seconds.toFixed(1)]);
}
