import { createDatabase, startPostgres } from "@tooling/postgres";
import { play, told } from "./fleet/play.ts";

// `pnpm soak`: three workers and one PostgreSQL, 2,000 conversations, for SOAK_SECONDS (600 by default): workers are killed, frozen for
// twice their lease and upgraded, and the database is restarted, at random. KILL_SEED repeats the order of an earlier run.
const seconds = Number(process.env.SOAK_SECONDS ?? 600);
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007);
const server = await startPostgres();
try {
  const { url } = await createDatabase(server.url);
  const { problems, fleet, blows, ...numbers } = await play({
    postgres: url,
    server,
    conversations: Number(process.env.SOAK_CONVERSATIONS ?? 2000),
    steps: 8,
    workers: 3,
    concurrency: 16,
    limit: 5,
    // Long enough that each blow meets conversations at work.
    delay: 100,
    ttl: 6000,
    seed,
    blowEvery: 2000,
    duration: seconds * 1000,
    patience: seconds * 1000 + 300_000,
  });
  console.log(`worker: seed ${seed}`, numbers, blows);
  for (const [blow, times] of [...fleet.takeovers].sort()) console.log(`takeover after ${blow}:`, spread(times));
  console.log("from SIGTERM to the end of the process:", spread(fleet.drains));
  console.log(told(fleet));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  await server.stop();
}

/** In milliseconds. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return `${sorted.length} times, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
}
