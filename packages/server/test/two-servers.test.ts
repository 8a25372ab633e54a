import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it, onTestFinished } from "vitest";
import { read } from "./support/reader.ts";
import { type ServerProcess, startServer } from "./support/start-server.ts";

const title =
  "stand in for each other: a reader of the one that is killed has every event once, and what is posted at one is answered by the worker of the other";

describe("two servers on one SQLite file", () => {
  it(title, async () => {
    const folder = mkdtempSync(join(tmpdir(), "cogency-server-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "store.db");
    await killOneOfTwo(path, await sqliteStore({ path }));
  });
});

describePostgres("two servers on one PostgreSQL database", () => {
  it(title, async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    await killOneOfTwo(url, await postgresStore({ url }));
  });
});

/** The servers A and B are on one store, which another process, this one, writes to all the while. B has a worker. */
async function killOneOfTwo(address: string, store: Store): Promise<void> {
  onTestFinished(() => store.close());
  const [a, b] = await Promise.all([start(address, "serve"), start(address, "serve-and-work")]);
  const both = (path: string) => [a, b].map(({ port }) => `http://127.0.0.1:${port}/conversations/${path}`);
  const post = async (id: string, at: ServerProcess) => {
    const body = JSON.stringify({ id, kind: "prompt", content: "hello" });
    const headers = { "content-type": "application/json" };
    const url = `http://127.0.0.1:${at.port}/conversations/chat/messages`;
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const write = async (count: number) => {
    for (let at = 0; at < count; at++) await store.append({ conversation: "busy" }, [event(`${Math.random()}`)]);
  };
  const readers = [1, 2].map(() => read(both("busy/events?view=log"), ({ seq }) => seq === 40));
  const answers = read(both("chat/events?view=log"), (last) => last.type === "respond" && last.content === "Second.");
  const answered = (text: string) =>
    expect
      .poll(() => answers.seen.some((last) => last.type === "respond" && last.content === text), patience)
      .toBe(true);

  await write(10);
  expect(await post("1", a)).toBe(202);
  await answered("First.");
  await expect.poll(() => readers.every(({ seen }) => seen.length > 0), patience).toBe(true);
  await Promise.all([write(20), a.kill()]);
  // Its sender does not know whether it arrived.
  expect([await post("1", b), await post("2", b)]).toEqual([202, 202]);
  await write(10);

  const log = await store.load({ conversation: "busy" });
  expect(log).toHaveLength(40);
  for (const { whole } of readers) expect(await whole).toEqual(log);
  expect(readers.map(({ connections }) => connections)).toEqual([2, 2]);
  const chat = await answers.whole;
  expect(chat).toEqual((await store.load({ conversation: "chat" })).slice(0, chat.length));
  expect(chat.filter(({ type }) => type === "user")).toHaveLength(2);
}

const patience = { timeout: 20_000 };
const event = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });

async function start(address: string, duty: "serve" | "serve-and-work"): Promise<ServerProcess> {
  const server = await startServer(address, "0", duty);
  onTestFinished(() => server.kill());
  return server;
}
