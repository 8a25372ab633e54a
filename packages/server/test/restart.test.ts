import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { read } from "./support/reader.ts";
import { type ServerProcess, startServer } from "./support/start-server.ts";

const key = { conversation: "notes" };
const most = 60;

it("readers that connect again after a kill of the server have every event once, and a message that is posted again is one", {
  timeout: 60_000,
}, async () => {
  const path = storePath();
  const store = await sqliteStore({ path });
  onTestFinished(() => store.close());
  const server = await start(path, "0");
  const { port } = server;
  const url = `http://127.0.0.1:${port}/conversations/notes`;
  const readers = [1, 2, 3].map(() => read(`${url}/events`, isLast));

  // Another process, this one, writes all the while, and the server is killed in the middle.
  const write = async (count: number) => {
    for (let at = 0; at < count; at++) await store.append(key, [event(`${Math.random()}`)]);
  };
  const post = () =>
    fetch(`${url}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "once", kind: "prompt", content: "hello" }),
    });
  await write(10);
  expect((await post()).status).toBe(202);
  await expect.poll(() => readers.every(({ seen }) => seen.length > 0), { timeout: 10_000 }).toBe(true);
  await Promise.all([write(30), server.kill()]);
  await write(10);
  await start(path, port);
  await write(10);
  expect((await post()).status).toBe(202);
  const late = read(`${url}/events`, isLast);
  const all = await Promise.all([...readers, late].map(({ whole }) => whole));
  const log = await store.load(key);
  expect(log).toHaveLength(most);
  for (const seen of all) expect(seen).toEqual(log);
  expect(readers.every((reader) => reader.connections > 1)).toBe(true);
  expect((await store.inbox(key)).map(({ id }) => id)).toEqual(["once"]);
});

const isLast = ({ seq }: { seq: number }) => seq === most;
const event = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });

function storePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-server-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "store.db");
}

async function start(path: string, port: string): Promise<ServerProcess> {
  const server = await startServer(path, port);
  onTestFinished(() => server.kill());
  return server;
}
