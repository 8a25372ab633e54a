import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { storeConformance, withoutProcesses, withoutReopen } from "@cogency/storage/testkit";
import { describe, expect, it } from "vitest";
import { temporaryHome } from "../test/support/temporary-home.ts";
import { sqliteStore } from "./sqlite-store.ts";

describe("sqliteStore in a file", () => {
  const cases = storeConformance("sqliteStore in a file", async () => {
    const folder = await mkdtemp(join(temporaryHome, "sqlite-store-"));
    const path = join(folder, "store.db");
    const open = () => sqliteStore({ path });
    return {
      store: await open(),
      reopen: open,
      elsewhere: { module: new URL("../test/support/open-elsewhere.ts", import.meta.url), options: { path } },
      dispose: () => rm(folder, { recursive: true }),
    };
  });
  for (const { name, run, timeout } of cases) it(name, { timeout }, run);
});

describe("sqliteStore in memory", () => {
  const make = async () => ({ store: await sqliteStore({ path: ":memory:" }) });
  const declarations = { ...withoutReopen, ...withoutProcesses };
  // A few of every kind: the same code runs on a file and in memory. `pnpm soak` runs all.
  const cases = storeConformance("sqliteStore in memory", make, declarations).filter((_, index) => index % 5 === 0);
  for (const { name, run, timeout } of cases) it(name, { timeout }, run);
});

const wrong = (value: unknown) => value as never;

it.each<[string, () => Promise<unknown>, string]>([
  ["another word for the path", () => sqliteStore(wrong({ file: "a.db" })), "Did you mean `path`?"],
  ["no path", () => sqliteStore(wrong({})), "`path`"],
  ["a path beside an unknown option", () => sqliteStore(wrong({ path: ":memory:", wal: true })), "`wal`"],
  ["a text in place of options", () => sqliteStore(wrong("a.db")), "`path`"],
  ["another durability", () => sqliteStore(wrong({ path: ":memory:", durability: "full" })), '"process", "power"'],
  ["a negative time", () => sqliteStore({ path: ":memory:", busyTimeout: -1 }), "`busyTimeout`"],
])("refuses %s, and says what to write", async (_, open, answer) => {
  await expect(open()).rejects.toMatchObject({ code: "invalid_option", message: expect.stringContaining(answer) });
});

it("refuses a misspelt option of a method", async () => {
  const store = await sqliteStore({ path: ":memory:" });
  await expect(store.load({ conversation: "c" }, wrong({ limt: 1 }))).rejects.toThrow("Did you mean `limit`");
  await store.close();
});
