import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import type { Store, StoredEvent } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it, onTestFinished } from "vitest";
import { read } from "./support/reader.ts";
import { type ServerProcess, startServer } from "./support/start-server.ts";

const title =
  "stand in for each other: a reader of the one that is killed has every event once, and what is posted at one is answered by the worker of the other";

const lettersTitle =
  "carry the letters of a run of a third process, from the beginning of the unit for who comes in the middle, and then its stored event";

describe("two servers on one SQLite file", () => {
  it(title, async () => {
    const folder = mkdtempSync(join(tmpdir(), "cogency-server-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "store.db");
    await killOneOfTwo(path, await sqliteStore({ path }));
  });

  it(lettersTitle, async () => {
    const folder = mkdtempSync(join(tmpdir(), "cogency-server-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "store.db");
    await writeLetters(path, await sqliteStore({ path }));
  });
});

describePostgres("two servers on one PostgreSQL database", () => {
  it(title, async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    await killOneOfTwo(url, await postgresStore({ url }));
  });

  it(lettersTitle, async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    await writeLetters(url, await postgresStore({ url }));
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

/** Readers of A and B see what this process writes; the one of B comes late, and that of A again after its server was killed. */
async function writeLetters(address: string, store: Store): Promise<void> {
  onTestFinished(() => store.close());
  const key = { conversation: "letters" };
  const [a, b] = await Promise.all([start(address, "serve"), start(address, "serve")]);
  const at = ({ port }: ServerProcess) => `http://127.0.0.1:${port}/conversations/letters/events`;
  await store.append(key, [event("before")]);
  let text = "";
  const piece = (offset: number): Piece => {
    return { type: "text", run: "r", seq: 1, unit: 1, offset, text: text.slice(offset) };
  };
  const publisher = store.live.publisher(key, () => [piece(0)]);
  const writing = setInterval(() => {
    text += "0123456789";
    if (publisher.isFollowed) publisher.publish([piece(text.length - 10)]);
  }, 20);
  onTestFinished(() => clearInterval(writing));
  const isLast = (last: StoredEvent) => last.seq === 2;
  const first = read([at(a), at(b)], isLast);
  await expect.poll(() => shownBy(first.pieces).length, patience).toBeGreaterThan(100);
  const late = read([at(b)], isLast);
  await expect.poll(() => shownBy(late.pieces).length, patience).toBeGreaterThan(200);
  expect(late.pieces[0]).toMatchObject({ offset: 0 });
  await a.kill();
  const length = text.length;
  await expect.poll(() => shownBy(first.pieces).length, patience).toBeGreaterThan(length);
  clearInterval(writing);
  await store.append(key, [event(text)]);
  publisher.close();
  for (const reader of [first, late]) {
    expect((await reader.whole).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(text.startsWith(shownBy(reader.pieces))).toBe(true);
  }
}

/** The text of one unit that a screen shows after these pieces: one that leaves a gap is ignored. */
function shownBy(pieces: readonly Piece[]): string {
  let shown = "";
  for (const piece of pieces) {
    if (piece.type === "text" && piece.offset <= shown.length)
      shown = `${shown.slice(0, piece.offset)}${piece.text}${shown.slice(piece.offset + piece.text.length)}`;
  }
  return shown;
}

const patience = { timeout: 20_000 };
const event = (content: string): LogEvent => ({ type: "respond", content, timestamp: 1 });

async function start(address: string, duty: "serve" | "serve-and-work"): Promise<ServerProcess> {
  const server = await startServer(address, "0", duty);
  onTestFinished(() => server.kill());
  return server;
}
