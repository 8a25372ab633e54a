import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { realPath } from "../../base/files/real-path.ts";
import { databaseFiles, isOfStore } from "./store-files.ts";

function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-store-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), "");
  return realPath(folder) ?? folder;
}

it("the databases of a store are its own and its older schemas, whatever its name ends in", () => {
  const folder = folderWith("notes-wal", "notes-wal.schema-1", "other.db");
  expect(databaseFiles(join(folder, "notes-wal"))).toEqual([
    join(folder, "notes-wal"),
    join(folder, "notes-wal.schema-1"),
  ]);
});

it("a file that SQLite keeps beside an open database belongs to the store", () => {
  const folder = folderWith("a.db", "a.db-wal", "b.db");
  const belongs = (name: string) => isOfStore(join(folder, name), join(folder, "a.db"));
  expect(["a.db", "a.db-wal", "a.db-shm", "b.db"].map(belongs)).toEqual([true, true, true, false]);
});
