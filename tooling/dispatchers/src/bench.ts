import { columns } from "@tooling/bench";
import { createDatabase, startPostgres } from "@tooling/postgres";
import { startRedis } from "@tooling/redis";
import { contenders } from "./contenders.ts";
import { counting, countOn } from "./counter.ts";
import { measure } from "./measure.ts";

// `pnpm bench`: what it costs to wake workers in each way, side by side on one server.
const options = { messages: 100, idle: 6000 };
const [server, redis] = [await startPostgres({ settings: counting }), await startRedis()];
const counter = await countOn(server);
try {
  for (const workers of [1, 3, 10]) {
    const rows: string[][] = [["", "wake p50", "p90", "max", "statements each", "idle a second", "connections"]];
    for (const [name, open] of Object.entries(contenders)) {
      const { url, drop } = await createDatabase(server.url);
      const addresses = { postgres: url, redis: redis.url };
      const { latencies, ...measured } = await measure(open, addresses, counter, { ...options, workers });
      const at = (part: number) => `${(latencies[Math.floor((latencies.length - 1) * part)] ?? 0).toFixed(1)} ms`;
      rows.push([
        name,
        ...[at(0.5), at(0.9), at(1)],
        ...[measured.statementsEach.toFixed(1), measured.idleStatements.toFixed(1), String(measured.connections)],
      ]);
      await drop();
    }
    console.log(`Waking ${workers === 1 ? "1 worker" : `${workers} workers`}; the store in PostgreSQL`);
    for (const line of columns(rows)) console.log(`  ${line}`);
  }
} finally {
  await counter.close();
  await server.stop();
  await redis.stop();
}
