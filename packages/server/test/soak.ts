import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sqliteStore } from "@cogency/storage-sqlite";
import { read } from "./support/reader.ts";
import { type ServerProcess, startServer } from "./support/start-server.ts";

/**
 * `pnpm soak`: kills the server at random moments, SOAK_ROUNDS times (20 by default), while another process appends, ten readers
 * follow and five people post until they know that it arrived. Then a thousand readers come and go, and a thousand do not read a
 * long log.
 */
const rounds = Number(process.env.SOAK_ROUNDS ?? 20);
const key = { conversation: "notes" };
const folder = mkdtempSync(join(tmpdir(), "cogency-server-soak-"));
const path = join(folder, "store.db");
const store = await sqliteStore({ path });
let server: ServerProcess = await startServer(path, "0");
const conversations = `http://127.0.0.1:${server.port}/conversations`;
const url = `${conversations}/notes`;
const problems: string[] = [];

try {
  await killed();
  await crowded();
  await unread();
} finally {
  await server.kill();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

async function killed(): Promise<void> {
  const readers = Array.from({ length: 10 }, () => read([`${url}/events?view=log`], isLast));
  const isOver = new AbortController();
  const people = Array.from({ length: 5 }, (_, person) => post(`person-${person}`, isOver.signal));
  const writing = append(isOver.signal);
  for (let round = 0; round < rounds; round++) {
    await pause(Math.random() * 400);
    const { port } = server;
    await server.kill();
    await pause(Math.random() * 50);
    server = await startServer(path, port);
  }
  isOver.abort();
  const posted = (await Promise.all(people)).flat();
  await writing;
  await store.append(key, [{ type: "cancelled", timestamp: 1 }]);
  const all = await Promise.all(readers.map(({ whole }) => whole));
  const log = await store.load(key);
  if (!all.every((seen) => isDeepStrictEqual(seen, log))) problems.push("A reader lost or doubled an event.");
  const ids = (await store.inbox(key)).map(({ id }) => id);
  if (!isDeepStrictEqual(ids.toSorted(), posted.toSorted())) problems.push("A message was lost or doubled.");
  const connections = readers.reduce((sum, reader) => sum + reader.connections, 0);
  console.log(
    `${rounds} kills: ${log.length} events × 10 readers, ${connections} connections, ${posted.length} messages`,
  );
}

/** Readers that come, take an event and leave. */
async function crowded(): Promise<void> {
  const before = memory();
  for (let batch = 0; batch < 50; batch++) {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const leaving = new AbortController();
        const { body } = await fetch(`${url}/events`, { signal: leaving.signal });
        await body?.getReader().read();
        leaving.abort();
      }),
    );
  }
  // A client that leaves takes some seconds to close its connections.
  for (let wait = 0; wait < 100 && openSockets() > 0; wait++) await pause(100);
  const sockets = openSockets();
  if (sockets > 0) problems.push(`${sockets} connections are open after all readers have left.`);
  console.log(`1,000 readers came and left: ${sockets} connections are open, memory ${before} → ${memory()} MB`);
}

/** Readers that do not read: 100 MB of events each. */
async function unread(): Promise<void> {
  const long = { conversation: "long" };
  const events = Array.from(
    { length: 100 },
    () => ({ type: "respond", content: "x".repeat(20_000), timestamp: 1 }) as const,
  );
  for (let at = 0; at < 50; at++) await store.append(long, events);
  const before = memory();
  const asked = Array.from({ length: 1000 }, () => request(`${conversations}/long/events`, { agent: false }).end());
  for (const one of asked) one.on("response", (response) => response.pause()).on("error", () => {});
  await pause(5000);
  const after = memory();
  for (const one of asked) one.destroy();
  if (after - before > 1000) problems.push(`A thousand readers that do not read took ${after - before} MB.`);
  console.log(`1,000 readers that do not read a log of 100 MB: memory ${before} → ${after} MB`);
}

async function append(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await store.append(key, [{ type: "respond", content: `${Math.random()}`, timestamp: 1 }]);
    await pause(Math.random() * 10);
  }
}

/** Posts one message after another, each until it is known to have arrived. Returns their ids. */
async function post(person: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  while (!signal.aborted) {
    const id = `${person}-${ids.length}`;
    const body = JSON.stringify({ id, kind: "steer", content: id });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const isIn = () =>
      fetch(`${url}/messages`, init).then(
        ({ status }) => status === 202,
        () => false,
      );
    while (!(await isIn())) await pause(20);
    ids.push(id);
    await pause(Math.random() * 50);
  }
  return ids;
}

function isLast({ type }: { type: string }): boolean {
  return type === "cancelled";
}

/** The resident memory of the server, in MB. */
function memory(): number {
  const [, pages = ""] = readFileSync(`/proc/${server.pid}/statm`, "utf8").split(" ");
  return Math.round((Number(pages) * 4096) / 1e6);
}

/** Established connections to the server. */
function openSockets(): number {
  const port = Number(server.port).toString(16).toUpperCase().padStart(4, "0");
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return rows.filter((row) => row.trim().split(/\s+/)[1]?.endsWith(`:${port}`) && row.trim().split(/\s+/)[3] === "01")
    .length;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
