import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { batchOf, said } from "../test/support/samples.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";
import { applicationId, schemaVersion } from "./schema/tables.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { conversation: "c" };
const changed = "event 7 is not what was stored";
const replaced = `
  UPDATE events SET (type, event, checksum) = (SELECT type, event, checksum FROM events WHERE seq = 8) WHERE seq = 7`;

describe("opening", () => {
  it("creates missing folders with mode 0700 and files with 0600, and keeps the mode of an existing folder", async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const store = await sqliteStore({ path: join(folder, "new", "deeper", "store.db") });
    await store.append(key, [said("x")]);
    const modes = [
      "",
      "new",
      "new/deeper",
      "new/deeper/store.db",
      "new/deeper/store.db-wal",
      "new/deeper/store.db-shm",
    ].map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));
    expect(modes).toEqual(["755", "700", "700", "600", "600", "600"]);
    await store.close();
  });

  it("uses an empty file as a new database and keeps its mode", async () => {
    const path = join(temporaryFolder(), "store.db");
    writeFileSync(path, "", { mode: 0o640 });
    const store = await sqliteStore({ path });
    expect(await store.append(key, [said("x")])).toBe(1);
    await store.close();
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it("creates the missing target of a link with mode 0600, and keeps the mode of an existing target", async () => {
    const folder = temporaryFolder();
    const link = join(folder, "link.db");
    symlinkSync("target.db", link);
    const before = process.umask(0);
    const store = await sqliteStore({ path: link }).finally(() => process.umask(before));
    await store.append(key, [said("x")]);
    for (const name of ["target.db", "target.db-wal", "target.db-shm"]) {
      expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe("600");
    }
    await store.close();
    chmodSync(join(folder, "target.db"), 0o640);
    const reopened = await sqliteStore({ path: link });
    expect(await reopened.load(key)).toHaveLength(1);
    await reopened.close();
    expect((statSync(link).mode & 0o777).toString(8)).toBe("640");
  });

  it("uses a path that looks like a URI as a file name", async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(temporaryFolder());
    const path = "file:store.db?mode=memory";
    const store = await sqliteStore({ path });
    await store.append(key, [said("x")]);
    await store.close();
    expect(existsSync(path)).toBe(true);
  });

  it("works several times in one process", async () => {
    const path = join(temporaryFolder(), "store.db");
    const stores = await Promise.all(Array.from({ length: 5 }, () => sqliteStore({ path })));
    const appended = await Promise.all(stores.map((store, index) => store.append(key, batchOf(`store ${index}`))));
    expect(appended.sort((a, b) => a - b)).toEqual([3, 6, 9, 12, 15]);
    for (const store of stores) expect(await store.load(key)).toHaveLength(15);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("waits without blocking for a connection that holds an exclusive lock", async () => {
    const path = join(temporaryFolder(), "store.db");
    const other = lock(path);
    setTimeout(() => other.close(), 50);
    const store = await sqliteStore({ path, busyTimeout: Number.POSITIVE_INFINITY });
    expect(await store.append(key, [said("x")])).toBe(1);
    await store.close();
  });

  it("fails with `unavailable` when the database stays locked for `busyTimeout`", async () => {
    const path = join(temporaryFolder(), "store.db");
    const other = lock(path);
    const message = expect.stringContaining(`${path} is locked`);
    await expect(sqliteStore({ path, busyTimeout: 30 })).rejects.toMatchObject({ code: "unavailable", message });
    other.close();
  });

  it.each<[what: string, make: (folder: string) => string]>([
    ["a folder", (folder) => folder],
    [
      "a path below a file",
      (folder) => {
        writeFileSync(join(folder, "file"), "x");
        return join(folder, "file", "store.db");
      },
    ],
    ["a path that no file system takes", () => "a\u0000b"],
    ["an empty path", () => ""],
    ["a name that is too long", (folder) => join(folder, "x".repeat(5_000))],
    ["a folder in which nothing can be created", () => "/proc/nowhere/deep/store.db"],
  ])("refuses %s as `unavailable`", async (_, make) => {
    const path = make(temporaryFolder());
    await expect(sqliteStore({ path })).rejects.toMatchObject({
      name: "StoreError",
      code: "unavailable",
      message: expect.stringContaining(path),
      cause: expect.any(Error),
    });
  });
});

describe("opening a file that is not a store", () => {
  it("refuses a file that is no database as `corrupt` and does not change it", async () => {
    const path = join(temporaryFolder(), "notes.txt");
    const text = "These are my notes.\n".repeat(100);
    writeFileSync(path, text);
    await expect(sqliteStore({ path })).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining(path),
    });
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it.each([
    ["with other tables", "CREATE TABLE notes (text)"],
    ["with another application id", "PRAGMA application_id = 42"],
    ["with a version and no application id", "PRAGMA user_version = 1"],
    ["with our id and no version", `PRAGMA application_id = ${applicationId}`],
  ])("refuses another application's database %s as `corrupt` and does not change it", async (_, sql) => {
    const path = makeDatabase(sql);
    const before = readFileSync(path);
    await expect(sqliteStore({ path })).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringMatching(/another application's database.*choose another path/),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("refuses a database of a newer version as `newer_schema` and does not change it", async () => {
    const path = makeDatabase(
      `CREATE TABLE later (x); PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion + 1}`,
    );
    const before = readFileSync(path);
    await expect(sqliteStore({ path })).rejects.toMatchObject({
      code: "newer_schema",
      message: expect.stringContaining(`schema ${schemaVersion + 1}; this one reads up to ${schemaVersion}`),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("refuses a database without its tables as `corrupt`", async () => {
    const path = makeDatabase(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    await expect(sqliteStore({ path })).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("opening another application's database that was not closed", () => {
  it("refuses it as `corrupt` and loses none of its data", async () => {
    const folder = temporaryFolder();
    const other = new DatabaseSync(join(folder, "other.db"));
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES ('kept')");
    // The files that a killed process leaves.
    const path = join(folder, "left.db");
    for (const suffix of ["", "-wal"]) copyFileSync(`${join(folder, "other.db")}${suffix}`, `${path}${suffix}`);
    other.close();
    await expect(sqliteStore({ path })).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("another application's database"),
    });
    const left = new DatabaseSync(path);
    expect(left.prepare("SELECT text FROM notes").all()).toMatchObject([{ text: "kept" }]);
    expect(left.prepare("PRAGMA application_id").get()).toMatchObject({ application_id: 0 });
    left.close();
  });
});

describe("opening a damaged database", () => {
  it.each<[how: string, size: (size: number) => number]>([
    ["to a half", (size) => size / 2],
    ["by its last page", (size) => size - 4_096],
    ["within its header", () => 50],
  ])("refuses a file that was truncated %s as `corrupt`", async (_, size) => {
    const path = await makeStore();
    truncateSync(path, size(statSync(path).size));
    await expect(readAll(path)).rejects.toMatchObject({ code: "corrupt", message: expect.stringContaining(path) });
  });

  it.each([1, 2, 3, 40])("throws `corrupt` if page %i was overwritten", async (page) => {
    const path = await makeStore();
    const bytes = readFileSync(path);
    const size = bytes.readUInt16BE(16);
    bytes.fill(0xa5, (page - 1) * size, page * size);
    writeFileSync(path, bytes);
    await expect(readAll(path)).rejects.toMatchObject({ code: "corrupt", message: expect.stringContaining(path) });
  });

  it.each([
    [
      "the text of an event has changed",
      "UPDATE events SET event = replace(event, '6 6', '6 7') WHERE seq = 7",
      changed,
    ],
    ["an event was replaced by its neighbour", replaced, changed],
    ["the type of an event has changed", "UPDATE events SET type = 'think' WHERE seq = 7", changed],
    ["a name has changed", "UPDATE conversations SET name = '\"d\"'", "the name or the title"],
    ["a title has changed", "UPDATE conversations SET title = 'x'", "the name or the title"],
    ["a time has changed", "UPDATE conversations SET created_at = 5", "the name or the title"],
    ["all events are missing", "DELETE FROM events", 'conversation "c" has lost its events'],
    ["an event is missing", "DELETE FROM events WHERE seq = 7", "event 7 is missing"],
    ["the first event is missing", "DELETE FROM events WHERE seq = 1", "event 1 is missing"],
    ["several events are missing", "DELETE FROM events WHERE seq BETWEEN 7 AND 12", "event 7 is missing"],
  ])("throws `corrupt` with the location if %s", async (_, sql, message) => {
    const path = await makeStore();
    const sqlite = new DatabaseSync(path);
    sqlite.exec(sql);
    sqlite.close();
    await expect(readAll(path)).rejects.toMatchObject({ code: "corrupt", message: expect.stringContaining(message) });
  });
});

/** A connection that lets no other one read. */
function lock(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path);
  sqlite.exec("BEGIN EXCLUSIVE");
  return sqlite;
}

function makeDatabase(sql: string): string {
  const path = join(temporaryFolder(), "store.db");
  const sqlite = new DatabaseSync(path);
  sqlite.exec(sql);
  sqlite.close();
  return path;
}

/** A closed store with one conversation of a few hundred kilobytes. */
async function makeStore(): Promise<string> {
  const path = join(temporaryFolder(), "store.db");
  const store = await sqliteStore({ path });
  await store.append(
    key,
    Array.from({ length: 300 }, (_, index) => said(`${index} `.repeat(300))),
  );
  await store.close();
  return path;
}

async function readAll(path: string): Promise<void> {
  const store = await sqliteStore({ path });
  try {
    await store.conversations();
    await store.load(key);
  } finally {
    await store.close();
  }
}
