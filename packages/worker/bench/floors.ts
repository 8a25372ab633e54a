import { setTimeout } from "node:timers/promises";
import { Logger, makeWorkerUtils } from "graphile-worker";
import { PgBoss } from "pg-boss";
import postgres from "postgres";
import { Crew } from "./crew.ts";
import { jobName } from "./processes/job-name.ts";

/** Something that processes do as fast as they can. */
export interface Floor {
  name: string;
  file: string;
  /** More than `warmup` and `window` need. */
  prepare?(url: string): Promise<void>;
  options?: object;
}

export const warmup = 1000;
export const window = 3000;

/** How often a second so many processes do it. */
export async function floorRate({ file, prepare, options }: Floor, processes: number, url: string): Promise<number> {
  await prepare?.(url);
  const crew = await Crew.start(processes, file, { url, ...options });
  try {
    crew.go();
    await setTimeout(warmup);
    return (await crew.during(window)).rate;
  } finally {
    await crew.end();
  }
}

const jobs = 20_000;

/** @param size characters of an event as JSON */
export function floors(size: number): Floor[] {
  const empty = { type: "respond", content: "", timestamp: 1_700_000_000.5 };
  const event = { ...empty, content: "x".repeat(Math.max(0, size - JSON.stringify(empty).length)) };
  return [
    { name: "one INSERT", file: "insert-process.ts", prepare: prepareTable, options: { text: JSON.stringify(event) } },
    { name: "append of postgresStore", file: "append-process.ts", options: { event } },
    { name: "job of pg-boss", file: "pg-boss-process.ts", prepare: preparePgBoss },
    { name: "job of Graphile Worker", file: "graphile-process.ts", prepare: prepareGraphile },
  ];
}

async function prepareTable(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  await sql`CREATE TABLE bare (conversation text, seq bigint, event text, PRIMARY KEY (conversation, seq))`;
  await sql.end();
}

async function preparePgBoss(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schedule: false, supervise: false });
  await boss.start();
  await boss.createQueue(jobName);
  for (let done = 0; done < jobs; done += 2000) {
    await boss.insert(
      jobName,
      Array.from({ length: 2000 }, () => ({ data: {} })),
    );
  }
  await boss.stop({ graceful: false });
}

async function prepareGraphile(url: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url, logger: new Logger(() => () => {}) });
  await utils.migrate();
  await utils.withPgClient((client) =>
    client.query(
      `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(SELECT
        ROW($1, '{}'::json, null, null, null, null, null, null)::graphile_worker.job_spec FROM generate_series(1, $2::int)))`,
      [jobName, jobs],
    ),
  );
  await utils.release();
}
