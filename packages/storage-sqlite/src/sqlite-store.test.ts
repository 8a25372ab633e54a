import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeConformance } from "@cogency/storage/testkit";
import { describe, it } from "vitest";
import { sqliteStore } from "./sqlite-store.ts";

describe("sqliteStore in a file", () => {
  const cases = storeConformance(async () => {
    const folder = await mkdtemp(join(tmpdir(), "sqlite-store-"));
    const open = () => sqliteStore({ path: join(folder, "store.db") });
    return { store: await open(), reopen: open, dispose: () => rm(folder, { recursive: true }) };
  });
  for (const { name, run } of cases) it(name, run);
});

describe("sqliteStore in memory", () => {
  for (const { name, run } of storeConformance(async () => ({ store: await sqliteStore({ path: ":memory:" }) }))) {
    it(name, run);
  }
});
