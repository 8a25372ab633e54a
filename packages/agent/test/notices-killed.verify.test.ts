import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UserEvent } from "@cogency/protocol";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it, onTestFinished } from "vitest";
import { killReaders } from "./notices/killed-readers.ts";

/** `KILL_SEED` repeats a failure. */
const seed = Number(process.env.KILL_SEED ?? 1);
const sentence =
  "while 200 notices wait and come, and processes that read them are killed: each counts once, and none is left";

async function expectEachOnce(address: string): Promise<void> {
  const notices = 200;
  const log = await killReaders(address, seed, notices);
  const told = log.filter((event): event is UserEvent => event.type === "user" && event.origin === "notice");
  const taken = log.flatMap((event) => (event.type === "record" && event.kind === "message" ? [event.data] : []));
  const ofNotices = taken.filter(({ kind }) => kind === "notice");
  expect(ofNotices.filter(({ refused }) => refused !== undefined)).toEqual([]);
  expect(ofNotices.reduce((sum, { more = 0 }) => sum + 1 + more, 0)).toBe(notices);
  expect(told.flatMap(({ sources = [] }) => sources).reduce((sum, { count }) => sum + count, 0)).toBe(notices);
  const ids = taken.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids.filter((id) => id === "prompt")).toHaveLength(1);
  const words = told.flatMap(({ content }) => content.match(/word-\d+;/g) ?? []);
  expect(words).toEqual([...new Set(words)]);
  expect(told.length).toBeGreaterThan(1);
}

describe("on one SQLite file", () => {
  it(sentence, async () => {
    const folder = mkdtempSync(join(tmpdir(), "cogency-notices-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    await expectEachOnce(join(folder, "store.db"));
  });
});

describePostgres("on one PostgreSQL database", () => {
  it(sentence, async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    await expectEachOnce(url);
  });
});
