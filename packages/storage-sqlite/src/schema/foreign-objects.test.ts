import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { batchOf, said } from "../../test/support/samples.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { sqliteStore } from "../sqlite-store.ts";

const key = { conversation: "c" };

/** Changes the schema without SQLite's checks, like an attacker. */
const rewrite = (sql: string) => `PRAGMA writable_schema = ON; ${sql}; PRAGMA writable_schema = RESET`;
const instead = (table: string, sql: string) => `ALTER TABLE ${table} RENAME TO kept; ${sql}`;

const planted: [what: string, sql: string][] = [
  [
    "a trigger that copies events",
    "CREATE TABLE copies (t); CREATE TRIGGER t AFTER INSERT ON events BEGIN INSERT INTO copies VALUES (new.event); END",
  ],
  [
    "a trigger that copies events into a profile",
    "CREATE TRIGGER t AFTER INSERT ON events BEGIN INSERT OR REPLACE INTO profiles VALUES ('x', 1, new.event, 0); END",
  ],
  [
    "a trigger that changes events",
    "CREATE TRIGGER t AFTER INSERT ON events BEGIN UPDATE events SET event = '{}' WHERE place = new.place; END",
  ],
  ["a trigger that drops events", "CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"],
  ["a trigger of a name like ours", "CREATE TRIGGER events_seq AFTER DELETE ON conversations BEGIN SELECT 1; END"],
  ["a trigger on leases", "CREATE TRIGGER t AFTER INSERT ON leases BEGIN DELETE FROM leases; END"],
  [
    "a trigger that answers messages",
    "CREATE TRIGGER t AFTER INSERT ON messages BEGIN UPDATE messages SET message = '{}' WHERE place = new.place; END",
  ],
  ["a trigger on claims", "CREATE TRIGGER t AFTER INSERT ON claims BEGIN DELETE FROM keys; END"],
  ["an index over messages", "CREATE INDEX i ON messages (json_extract(message, '$.content'))"],
  ["a table of keys with another column", "ALTER TABLE keys ADD COLUMN extra TEXT"],
  ["no table of messages", "DROP TABLE messages"],
  ["no index of what is due", "DROP INDEX due_keys"],
  ["a view", "CREATE VIEW v AS SELECT * FROM events"],
  ["a view in place of events", instead("events", "CREATE VIEW events AS SELECT * FROM kept")],
  [
    "a view in place of profiles",
    "DROP TABLE profiles; CREATE VIEW profiles AS SELECT 'a' AS user, 1 AS version, '1' AS profile, 0 AS checksum",
  ],
  [
    "a view with a trigger in place of events",
    instead(
      "events",
      "CREATE VIEW events AS SELECT * FROM kept; CREATE TRIGGER t INSTEAD OF INSERT ON events BEGIN SELECT 1; END",
    ),
  ],
  ["a view in place of the index", "CREATE VIEW search AS SELECT 1 AS words"],
  ["a table", "CREATE TABLE extra (x)"],
  ["a table of a name like that of the index", "CREATE TABLE search_extra (x)"],
  ["a table in place of the index", "CREATE TABLE search (words)"],
  [
    "a table in place of a part of the index",
    "CREATE TABLE search_data (id INTEGER PRIMARY KEY, block BLOB DEFAULT (randomblob(9)))",
  ],
  [
    "an index of another kind",
    "CREATE VIRTUAL TABLE search USING fts5 (words, content = 'events', content_rowid = 'place')",
  ],
  ["an index of another tokenizer", "CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = 'porter')"],
  ["a virtual table", "CREATE VIRTUAL TABLE other USING fts5 (words)"],
  ["a virtual table that reads all", "CREATE VIRTUAL TABLE other USING dbstat"],
  ["an index over an expression", "CREATE INDEX i ON events (json_extract(event, '$.content'))"],
  ["a unique index", "CREATE UNIQUE INDEX i ON events (place)"],
  ["another column", "ALTER TABLE events ADD COLUMN extra TEXT DEFAULT 'x'"],
  ["a column that computes", "ALTER TABLE profiles ADD COLUMN extra TEXT AS (upper(profile))"],
  ["a table without a column", "ALTER TABLE search_scopes DROP COLUMN indexed"],
  ["a column of another name", "ALTER TABLE leases RENAME COLUMN owner TO holder"],
  [
    "a table with a check",
    rewrite(
      "UPDATE sqlite_schema SET sql = replace(sql, 'event TEXT NOT NULL', 'event TEXT NOT NULL CHECK (length(event) < 9)') WHERE name = 'events'",
    ),
  ],
  [
    "a table that is not strict",
    rewrite("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'profiles'"),
  ],
  [
    "a table that refers to another",
    rewrite(
      "UPDATE sqlite_schema SET sql = replace(sql, 'conversation INTEGER NOT NULL', 'conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE') WHERE name = 'batches'",
    ),
  ],
  ["a table in lower case", rewrite("UPDATE sqlite_schema SET sql = lower(sql) WHERE name = 'profiles'")],
  ["a table too few", "DROP TABLE leases"],
  [
    "no tables",
    "DROP TABLE leases; DROP TABLE events; DROP TABLE batches; DROP TABLE profiles; DROP TABLE conversations",
  ],
  ["statistics", "ANALYZE"],
];

describe("opening a database that contains", () => {
  it.each(planted)("%s throws `corrupt` and changes nothing", async (_, sql) => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append(key, batchOf("kept"));
    await store.close();
    plant(path, sql);
    const before = readFileSync(path);
    await expect(sqliteStore({ path })).rejects.toMatchObject({
      name: "StoreError",
      code: "corrupt",
      message: expect.stringContaining(path),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual(["store.db"]);
  });

  it.each([
    ["a trigger", "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM batches; END"],
    ["a view", "CREATE VIEW v AS SELECT * FROM events"],
    ["a table", "CREATE TABLE extra (x)"],
    ["an index", "CREATE INDEX i ON events (type)", "migrates"],
    ["an index over a table of its own", "CREATE TABLE extra (x); CREATE INDEX i ON extra (x)"],
    ["a virtual table", "CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = 'ascii', detail = none)"],
  ])("%s in an older version throws `corrupt`, or is gone after the migration", async (_, sql, effect?: string) => {
    const path = join(temporaryFolder(), "store.db");
    copyFileSync(fileURLToPath(new URL("../../test/corpus/schema-1.db", import.meta.url)), path);
    plant(path, sql);
    const opening = sqliteStore({ path });
    if (effect === undefined) {
      await expect(opening).rejects.toMatchObject({ code: "corrupt" });
      expect(versionOf(path)).toBe(1);
      return;
    }
    await (await opening).close();
    expect(objectsOf(path)).not.toContain("i");
  });

  it("an index or a column in schema 2 throws `corrupt`, and the file is not migrated", async () => {
    for (const sql of ["CREATE INDEX i ON events (type)", "ALTER TABLE profiles ADD COLUMN extra TEXT"]) {
      const path = join(temporaryFolder(), "store.db");
      copyFileSync(fileURLToPath(new URL("../../test/corpus/schema-2.db", import.meta.url)), path);
      plant(path, sql);
      await expect(sqliteStore({ path })).rejects.toMatchObject({ code: "corrupt" });
      expect(versionOf(path)).toBe(2);
    }
  });

  it("accepts a database with a search index, and one whose index was dropped", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append(key, [said("wallaby")]);
    expect(await store.search("wallaby", { user: undefined })).toHaveLength(1);
    await store.close();
    expect(objectsOf(path)).toContain("search_docsize");
    plant(path, "DROP TABLE search; DELETE FROM search_scopes; UPDATE conversations SET indexed = 0");
    const reopened = await sqliteStore({ path });
    expect(await reopened.search("wallaby", { user: undefined })).toHaveLength(1);
    await reopened.close();
  });
});

function plant(path: string, sql: string): void {
  const sqlite = new DatabaseSync(path, { defensive: false });
  sqlite.exec(sql);
  sqlite.exec("PRAGMA journal_mode = DELETE");
  sqlite.close();
}

function versionOf(path: string): unknown {
  const sqlite = new DatabaseSync(path);
  const version = sqlite.prepare("PRAGMA user_version").get()?.user_version;
  sqlite.close();
  return version;
}

function objectsOf(path: string): unknown[] {
  const sqlite = new DatabaseSync(path);
  const names = sqlite.prepare("SELECT name FROM sqlite_schema").all();
  sqlite.close();
  return names.map(({ name }) => name);
}
