import { describe, expect, it } from "vitest";
import { fileCases } from "../test/support/file-cases.ts";
import { sqliteStore } from "./sqlite-store.ts";

describe("sqliteStore in a file", () => {
  // Each store has its own file. Most of these wait.
  for (const { name, run } of fileCases) it.concurrent(name, run);
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
