import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { columns } from "@tooling/bench";
import { createDatabase, findPostgres, startPostgres } from "@tooling/postgres";
import { startProcess, startSite, type Usage } from "../processes/start-site.ts";
import { post } from "../screens/read-events.ts";
import { quantile } from "../screens/words.ts";
import { twoServers } from "./two-servers.ts";

// What followers cost one server, and how late their letters are: a worker, the server and the followers are a process each, and each
// conversation has 30 words of 9 letters in a second.

interface Crowd {
  delays: number[];
  bytes: number;
  open: number;
  cpu: number;
}

const sizes = [
  { users: 1, followers: 1 },
  { users: 50, followers: 1 },
  { users: 50, followers: 10 },
];
const seconds = 15;

const rows = [
  ["", "delay median", "p99", "most", "heap", "a follower", "rss", "server CPU", "followers' CPU", "kB/s each"],
];
const folder = mkdtempSync(join(tmpdir(), "cogency-followers-"));
try {
  rows.push(...(await twoServers("SQLite", join(folder, "two.db"), seconds)));
  for (const { users, followers } of sizes) {
    rows.push(await row("SQLite", join(folder, `${users}-${followers}.db`), users, followers));
  }
  if (findPostgres()) {
    const server = await startPostgres();
    // What the processes of one row leave, those of the next one would go on with.
    const place = async () => (await createDatabase(server.url)).url;
    rows.push(...(await twoServers("PostgreSQL", await place(), seconds)));
    for (const { users, followers } of sizes) rows.push(await row("PostgreSQL", await place(), users, followers));
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const [load = 0] = loadavg();
console.log(
  `Followers of running conversations, ${seconds} s each (load ${load.toFixed(1)} on ${availableParallelism()} cores)`,
);
for (const line of columns(rows)) console.log(`  ${line}`);

async function row(store: string, place: string, users: number, followers: number): Promise<string[]> {
  const pace = { pause: 33, words: 1e6 };
  const server = await startSite({ place, pace, serves: true });
  const worker = await startSite({ place, pace, works: true, concurrency: users });
  const all = [server, worker];
  try {
    for (let user = 0; user < users; user++) await post(server.url, "c", "Write.", `u${user}`);
    const before = await server.memory();
    const crowd = startProcess("crowd-process.ts", [server.url, `${users}`, `${followers}`]);
    all.unshift({ ...server, kill: crowd.kill });
    const ask = async () => {
      crowd.child.stdin?.write("?\n");
      return JSON.parse(await crowd.next()) as Crowd;
    };
    while ((await ask()).open < users * followers) await sleep(200);
    await sleep(5000);
    const [begun, first] = [await server.memory(), await ask()];
    await sleep(seconds * 1000);
    const crowded = await ask();
    const during = await server.memory();
    return cells(
      `${store}, ${users * followers} of ${users}`,
      users * followers,
      before,
      begun,
      during,
      first,
      crowded,
    );
  } finally {
    for (const { kill } of all) await kill();
  }
}

function cells(
  name: string,
  count: number,
  before: Usage,
  begun: Usage,
  during: Usage,
  first: Crowd,
  crowded: Crowd,
): string[] {
  const { delays, bytes } = crowded;
  const share = (milliseconds: number) => `${(milliseconds / seconds / 10).toFixed(0)} %`;
  return [
    name,
    ...[0.5, 0.99, 1].map((part) => `${quantile(delays, part).toFixed(0)} ms`),
    `${(during.heap / 1e6).toFixed(1)} MB`,
    // Of few followers it is what the first requests load.
    count < 50 ? "" : `${((during.heap - before.heap) / count / 1000).toFixed(0)} kB`,
    `${(during.rss / 1e6).toFixed(0)} MB`,
    share(during.cpu - begun.cpu),
    share(crowded.cpu - first.cpu),
    (bytes / seconds / count / 1000).toFixed(1),
  ];
}
