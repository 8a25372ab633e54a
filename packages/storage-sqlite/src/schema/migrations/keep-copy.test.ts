import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { keepCopy } from "./keep-copy.ts";

describe("keepCopy", () => {
  it("copies the database with mode 0600 while a transaction is open that has not written yet", () => {
    const file = makeDatabase();
    const writer = new DatabaseSync(file);
    writer.exec("BEGIN IMMEDIATE");
    const copy = keepCopy(file, 1);
    expect(copy).toBe(`${file}.schema-1`);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe("600");
    writer.exec("DELETE FROM notes; COMMIT");
    writer.close();
    expect(notesIn(copy)).toEqual(["kept"]);
    expect(notesIn(file)).toEqual([]);
  });

  it("overwrites no earlier copy, and removes the unfinished copy of a killed process", () => {
    const file = makeDatabase();
    writeFileSync(`${file}.schema-1`, "mine");
    writeFileSync(`${file}.schema-1.part`, "half");
    expect([keepCopy(file, 1), keepCopy(file, 1)]).toEqual([`${file}.schema-1.2`, `${file}.schema-1.3`]);
    expect(readFileSync(`${file}.schema-1`, "utf8")).toBe("mine");
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("leaves nothing behind when it fails", () => {
    const file = join(temporaryFolder(), "notes.db");
    writeFileSync(file, "This is no database. ".repeat(500));
    expect(() => keepCopy(file, 1)).toThrow("file is not a database");
    expect(readdirSync(dirname(file))).toEqual(["notes.db"]);
  });
});

function makeDatabase(): string {
  const file = join(temporaryFolder(), "notes.db");
  const sqlite = new DatabaseSync(file);
  sqlite.exec("PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES ('kept')");
  sqlite.close();
  return file;
}

function notesIn(file: string): unknown[] {
  const sqlite = new DatabaseSync(file);
  const rows = sqlite.prepare("SELECT text FROM notes").all();
  sqlite.close();
  return rows.map(({ text }) => text);
}
