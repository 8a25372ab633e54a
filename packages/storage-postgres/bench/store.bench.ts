import { type Target, targetLine } from "@tooling/bench";
import { createDatabase, findPostgres, startPostgres } from "@tooling/postgres";
import postgres from "postgres";
import { appending } from "./appending.ts";
import { inbox } from "./inbox.ts";
import { lastEvents } from "./last-events.ts";
import { live } from "./live.ts";
import { loading } from "./loading.ts";
import { opening } from "./opening.ts";
import { searching } from "./searching.ts";

/** Compares the store with the fewest postgres statements that do the same work, and shows which costs do not grow. */
async function main(): Promise<void> {
  const targets: Target[] = [];
  await onServer(true, async (url) => {
    targets.push(...(await appending(url, "fsync on")), ...(await live(url)));
  });
  await onServer(false, async (url) => {
    targets.push(...(await appending(url, "fsync off")));
    for (const measure of [inbox, loading, lastEvents, opening, searching]) targets.push(...(await measure(url)));
  });
  for (const target of targets) console.log(targetLine(target));
}

async function onServer(durable: boolean, work: (url: string) => Promise<void>): Promise<void> {
  const server = await startPostgres({ durable });
  try {
    const { url } = await createDatabase(server.url);
    if (durable) console.log(`Node ${process.version}, ${await versionOf(url)}\n`);
    await work(url);
  } finally {
    await server.stop();
  }
}

async function versionOf(url: string): Promise<string> {
  const sql = postgres(url, { max: 1 });
  const [row] = await sql`SELECT version()`;
  await sql.end();
  return String(row?.version).split(" on ", 1)[0] ?? "";
}

if (findPostgres() === undefined) console.log("PostgreSQL was not found: storage-postgres is not measured.");
else await main();
