import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, startPostgres } from "@tooling/postgres";
import { describeOwnPostgres, describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Reader } from "./processes/start-reader.ts";
import { follow, isOver, newFolder, start } from "./processes/until-finished.ts";
import { problemsOf } from "./screens/check-screens.ts";
import { post, readEvents } from "./screens/read-events.ts";
import { wordsOf } from "./screens/words.ts";

const titles = {
  server: "is killed: its readers go on at the other one, or when it is back, with nothing doubled and nothing lost",
  worker: "is killed: the screens of all readers go on with the other one, and end as the log",
};

describe("with SQLite, in the middle of a text", () => {
  it(`a server ${titles.server}`, () => killServer(join(newFolder(), "store.db")));
  it(`a worker ${titles.worker}`, () => killWorker(join(newFolder(), "store.db")));
});

describePostgres("with PostgreSQL, in the middle of a text", () => {
  it(`a server ${titles.server}`, () => withDatabase(killServer));
  it(`a worker ${titles.worker}`, () => withDatabase(killWorker));
});

describeOwnPostgres("with PostgreSQL", () => {
  it(
    "the database is killed in the middle of a text, and comes back: letters go on, and the screens end as the log",
    killDatabase,
  );
});

async function withDatabase(run: (place: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createDatabase(postgresUrl());
  onTestFinished(drop);
  await run(url);
}

async function killServer(place: string): Promise<void> {
  const { gate, pace } = gated();
  await start({ place, pace, works: true });
  const [a, b] = await Promise.all([start({ place, pace, serves: true }), start({ place, pace, serves: true })]);
  // One knows another server, and one waits for its own.
  const readers = [follow(a.url, b.url), follow(a.url), follow(b.url)] as const;
  expect(await post(b.url, "c", "Write.")).toBe(202);
  await letters(readers);
  await a.kill();
  await letters(readers.filter((_, index) => index !== 1));
  await start({ place, pace, serves: true, port: a.port });
  await letters(readers);
  gate("first");
  gate("second");
  await Promise.all(readers.map((reader) => reader.shows(isOver)));
  const events = await readEvents(b.url, "c");
  for (const { screens } of readers) expect(problemsOf(screens, { events })).toEqual([]);
}

async function killWorker(place: string): Promise<void> {
  const { gate, pace } = gated();
  const [a, b] = await Promise.all([start({ place, pace, serves: true }), start({ place, pace, serves: true })]);
  const first = await start({ place, pace, works: true });
  const readers = [follow(a.url), follow(b.url)] as const;
  expect(await post(a.url, "c", "Write.")).toBe(202);
  await letters(readers);
  await start({ place, pace, works: true });
  await first.kill();
  await letters(readers);
  gate("first");
  gate("second");
  await Promise.all(readers.map((reader) => reader.shows(isOver)));
  const events = await readEvents(b.url, "c");
  expect(events.filter(({ type }) => type === "user")).toHaveLength(1);
  for (const { screens } of readers) expect(problemsOf(screens, { events, isBroken: true })).toEqual([]);
}

async function killDatabase(): Promise<void> {
  const { gate, pace } = gated();
  const database = await startPostgres({ durable: false });
  onTestFinished(() => database.stop());
  const place = database.url;
  const [a, b] = await Promise.all([start({ place, pace, serves: true }), start({ place, pace, serves: true })]);
  await start({ place, pace, works: true });
  const readers = [follow(a.url), follow(b.url)] as const;
  expect(await post(a.url, "c", "Write.")).toBe(202);
  await letters(readers);
  await database.restart("kill");
  await letters(readers);
  gate("first");
  gate("second");
  await Promise.all(readers.map((reader) => reader.shows(isOver)));
  const events = await readEvents(b.url, "c");
  expect(events.filter(({ type }) => type === "user")).toHaveLength(1);
  for (const { screens } of readers) expect(problemsOf(screens, { events, isBroken: true })).toEqual([]);
}

/** A model that goes on with each of its texts until the test opens its gate. */
function gated() {
  const gates = newFolder();
  const gate = (name: "first" | "second") => writeFileSync(join(gates, name), "");
  return { gate, pace: { pause: 30, words: 10, gates } };
}

/** Resolves when each of the readers shows twenty words that were written from now on. */
async function letters(readers: readonly Reader[]): Promise<void> {
  const now = Date.now();
  await Promise.all(
    readers.map((reader) =>
      reader.shows(({ parts }) => wordsOf(parts).filter((word) => Number.parseInt(word, 36) > now).length > 20),
    ),
  );
}
