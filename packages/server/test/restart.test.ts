import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { expect, it, onTestFinished } from "vitest";

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
  const readers = [1, 2, 3].map(() => read(`${url}/events`));

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
  const late = read(`${url}/events`);
  const all = await Promise.all([...readers, late].map(({ whole }) => whole));
  const log = await store.load(key);
  expect(log).toHaveLength(most);
  for (const seen of all) expect(seen).toEqual(log);
  expect(readers.every((reader) => reader.connections > 1)).toBe(true);
  expect((await store.inbox(key)).map(({ id }) => id)).toEqual(["once"]);
});

const event = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });

/** Reads events as a browser does: when the connection breaks, it asks again after the last one that it has. */
function read(url: string) {
  const seen: StoredEvent[] = [];
  const reader = { seen, connections: 0, whole: follow() };
  return reader;

  async function follow(): Promise<StoredEvent[]> {
    while (seen.length < most) {
      await connectOnce().catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
    }
    return seen;
  }

  async function connectOnce(): Promise<void> {
    const last = seen.at(-1)?.seq;
    const leaving = new AbortController();
    const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": `${last}` };
    const { body } = await fetch(url, { headers, signal: leaving.signal });
    reader.connections++;
    let rest = "";
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${rest}${text}`.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, data] = /^id: \d+\ndata: (.*)$/.exec(block) ?? [];
        if (data !== undefined) seen.push(JSON.parse(data));
      }
      if (seen.length >= most) leaving.abort();
    }
  }
}

function storePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-server-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "store.db");
}

async function start(path: string, port: string): Promise<{ port: string; kill(): Promise<void> }> {
  const file = fileURLToPath(new URL("support/server-process.ts", import.meta.url));
  const child = spawn(process.execPath, [file, path, port], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => ended(child));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { port: line, kill: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
