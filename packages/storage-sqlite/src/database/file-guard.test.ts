import {
  appendFileSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@cogency/storage";
import { describe, expect, it, onTestFinished } from "vitest";
import { batchOf, said } from "../../test/support/samples.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { sqliteStore } from "../sqlite-store.ts";

const key = { conversation: "c" };
const lost = {
  name: "StoreError",
  code: "unavailable",
  message: expect.stringMatching(/no longer the file.*Open the/),
};

/** Something that happens to the open file at `path`. `copy` is an earlier copy of it, `other` another store. */
type Disaster = (path: string, files: { copy: string; other: string; text: string }) => void;

const ends = ["", "-wal", "-shm"];

const disasters: [what: string, happen: Disaster][] = [
  ["removed", (path) => unlinkSync(path)],
  [
    "removed together with the files beside it",
    (path) => {
      for (const end of ends) rmSync(path + end);
    },
  ],
  ["moved", (path) => renameSync(path, `${path}.away`)],
  [
    "moved together with the files beside it",
    (path) => {
      for (const end of ends) renameSync(path + end, `${path}2${end}`);
    },
  ],
  [
    "removed and replaced by an empty file",
    (path) => {
      unlinkSync(path);
      writeFileSync(path, "");
    },
  ],
  [
    "removed and replaced by a folder",
    (path) => {
      unlinkSync(path);
      mkdirSync(path);
    },
  ],
  ["replaced by another store that was moved there", (path, { other }) => renameSync(other, path)],
  [
    "replaced by a link to another store",
    (path, { other }) => {
      unlinkSync(path);
      symlinkSync(other, path);
    },
  ],
  [
    "replaced by a hard link to another store",
    (path, { other }) => {
      unlinkSync(path);
      linkSync(other, path);
    },
  ],
  ["replaced by its own copy that was moved there", (path, { copy }) => renameSync(copy, path)],
  ["replaced by a file that is no database", (path, { text }) => renameSync(text, path)],
  ["overwritten with another store", (path, { other }) => copyFileSync(other, path)],
  ["overwritten with an earlier copy", (path, { copy }) => copyFileSync(copy, path)],
  ["overwritten with a file that is no database", (path, { text }) => copyFileSync(text, path)],
  [
    "overwritten in place with the same number of bytes",
    (path) => writeFileSync(path, readFileSync(path).fill(0, 4_096), { flag: "r+" }),
  ],
  ["emptied", (path) => truncateSync(path, 0)],
  ["written by `write … overwrite`", (path) => writeFileSync(path, "")],
  ["cut off in the middle", (path) => truncateSync(path, 4_096)],
  ["cut off in the middle of a page", (path) => truncateSync(path, 6_000)],
  ["made longer", (path) => appendFileSync(path, "x".repeat(9_000))],
  ["without its log of writes", (path) => unlinkSync(`${path}-wal`)],
  ["with a log of writes that was cleared", (path) => truncateSync(`${path}-wal`, 0)],
  ["left with a write-ahead log that was cut in its header", (path) => truncateSync(`${path}-wal`, 20)],
  ["left with a write-ahead log that was cut within a page", (path) => truncateSync(`${path}-wal`, 2_000)],
  [
    "left with a write-ahead log that lacks its last byte",
    (path) => truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 1),
  ],
  ["without its shared memory", (path) => unlinkSync(`${path}-shm`)],
  [
    "left beside another write-ahead log",
    (path) => {
      unlinkSync(`${path}-wal`);
      writeFileSync(`${path}-wal`, "");
    },
  ],
  ["in a folder that was removed", (path) => rmSync(dirname(path), { recursive: true })],
  ["in a folder that was moved", (path) => renameSync(dirname(path), `${dirname(path)}-away`)],
  [
    "in a folder that was removed and created again",
    (path) => {
      rmSync(dirname(path), { recursive: true });
      mkdirSync(dirname(path));
    },
  ],
  [
    "in a folder that was replaced by one with another store",
    (path, { other }) => {
      renameSync(dirname(path), `${dirname(path)}-away`);
      mkdirSync(dirname(path));
      copyFileSync(other, path);
    },
  ],
];

describe("a store whose file was", () => {
  it.each(disasters)("%s acknowledges no append and returns no event", async (_, happen) => {
    const { store, path, files } = await opened();
    happen(path, files);
    await expect(store.append(key, [said("lost")])).rejects.toMatchObject(lost);
    // It must not work after the first error either.
    await expect(store.append(key, [said("lost")], { batch: "b" })).rejects.toMatchObject(lost);
    await expect(store.load(key)).rejects.toMatchObject(lost);
    await expect(store.conversations()).rejects.toMatchObject(lost);
    await expect(store.search("before", { user: undefined })).rejects.toMatchObject(lost);
    await expect(store.saveProfile("u", 1)).rejects.toMatchObject(lost);
    await expect(store.lease(key, { owner: "o", ttl: 1_000 })).rejects.toMatchObject(lost);
    await expect(store.delete(key)).rejects.toMatchObject(lost);
  });

  const changes = disasters.filter(([what]) => /overwritten|emptied|cut off|longer/.test(what));
  it.each(changes)("%s before the first write returns no event either", async (_, happen) => {
    const { path, files, store: before } = await opened();
    await before.close();
    const store = await sqliteStore({ path });
    onTestFinished(() => store.close().catch(() => {}));
    await store.load(key);
    happen(path, files);
    // SQLite may be the first to detect that the file is no database.
    const refusal = { name: "StoreError", code: expect.stringMatching(/^(unavailable|corrupt)$/) };
    await expect(store.load(key)).rejects.toMatchObject(refusal);
    await expect(store.append(key, [said("lost")])).rejects.toMatchObject(refusal);
  });

  it("removed fails its followers", async () => {
    const { store, path } = await opened();
    const seen: number[] = [];
    const following = (async () => {
      for await (const { seq } of store.follow(key)) {
        seen.push(seq);
        if (seq === 3) unlinkSync(path);
      }
    })();
    await expect(following).rejects.toMatchObject(lost);
    expect(seen).toEqual([1, 2, 3]);
  });

  it("moved away and back works again", async () => {
    const { store, path } = await opened();
    for (const end of ends) renameSync(path + end, `${path}.away${end}`);
    await expect(store.append(key, [said("lost")])).rejects.toMatchObject(lost);
    for (const end of ends) renameSync(`${path}.away${end}`, path + end);
    expect(await store.append(key, [said("kept")])).toBe(4);
    await store.close();
    const reopened = await sqliteStore({ path });
    expect(await reopened.load(key)).toHaveLength(4);
    await reopened.close();
  });

  it("opened through a link that now leads elsewhere acknowledges no append", async () => {
    const { path: target, store: first, files } = await opened();
    await first.close();
    const link = join(dirname(target), "link.db");
    symlinkSync(target, link);
    const store = await sqliteStore({ path: link });
    onTestFinished(() => store.close().catch(() => {}));
    expect(await store.append(key, [said("kept")])).toBe(4);
    unlinkSync(link);
    symlinkSync(files.other, link);
    await expect(store.append(key, [said("lost")])).rejects.toMatchObject(lost);
  });

  it("given by a relative path is found after the process changed its folder", async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(temporaryFolder());
    const store = await sqliteStore({ path: "store.db" });
    process.chdir(temporaryFolder());
    expect(await store.append(key, [said("kept")])).toBe(1);
    await store.close();
  });
});

describe("a store whose file only stores and other SQLite programs have used", () => {
  it("works while it and other stores write, checkpoint, delete and close", async () => {
    const { store, path } = await opened();
    // Enough events that each connection checkpoints the log several times.
    const long = said("x".repeat(400_000));
    for (let round = 0; round < 6; round++) {
      const other = await sqliteStore({ path });
      const name = `other ${round}`;
      for (let count = 0; count < 12; count++) {
        await (round % 2 === 0 ? store : other).append({ conversation: name }, [long]);
        if (count % 4 === 0) await (round % 3 === 0 ? store : other).append(key, [said("short")]);
      }
      await store.search("short", { user: undefined, limit: 1 });
      if (round % 4 === 1) await other.delete({ conversation: name });
      if (round % 4 === 2) await store.delete({ conversation: name });
      await other.close();
      expect((await store.load(key)).length).toBe(3 + 3 * (round + 1));
    }
  });

  it("works after other connections have truncated the write-ahead log", async () => {
    const { store, path } = await opened();
    const other = await sqliteStore({ path });
    for (let round = 0; round < 4; round++) {
      const name = { conversation: `round ${round}` };
      await (round % 2 === 0 ? store : other).append(name, [said("x")]);
      const program = new DatabaseSync(path);
      expect(program.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 0 });
      program.close();
      expect(await store.load(name)).toHaveLength(1);
      expect(await other.load(name)).toHaveLength(1);
      await store.append(name, [said("y")]);
      await other.append(name, [said("z")]);
    }
    await other.close();
  });

  it("works while another connection moves its log into the database, after one that had written truncated it", async () => {
    const { store, path } = await opened();
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE others (x)");
    for (const mode of ["TRUNCATE", "PASSIVE"]) {
      expect(other.prepare(`PRAGMA wal_checkpoint(${mode})`).get()).toMatchObject({ busy: 0 });
      await store.append(key, [said("kept")]);
    }
    other.close();
    expect(await store.load(key)).toHaveLength(5);
    truncateSync(`${path}-wal`, 2_000);
    await expect(store.append(key, [said("lost")])).rejects.toMatchObject(lost);
  });

  it("works beside a program that reads, copies and checks the file", async () => {
    const { store, path } = await opened();
    const reader = new DatabaseSync(path, { readOnly: true });
    expect(reader.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    reader.prepare("VACUUM INTO ?").run(`${path}.copy`);
    reader.close();
    expect(await store.append(key, [said("kept")])).toBe(4);
  });

  it("works after another program has changed and shrunk the database through SQLite", async () => {
    const { store, path } = await opened();
    for (let count = 0; count < 40; count++) await store.append({ conversation: "d" }, [said("long ".repeat(3_000))]);
    const program = new DatabaseSync(path);
    program.exec("DELETE FROM conversations WHERE name = '\"d\"'; DELETE FROM events WHERE place >> 32 = 2");
    program.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    program.close();
    expect(await store.append(key, [said("kept")])).toBe(4);
  });
});

/** An open store with three events, and a copy that was made before the last one. */
async function opened(): Promise<{ store: Store; path: string; files: Parameters<Disaster>[1] }> {
  const folder = temporaryFolder();
  const files = { copy: join(folder, "copy.db"), other: join(folder, "other.db"), text: join(folder, "notes.txt") };
  const path = join(folder, "stores", "store.db");
  const before = await sqliteStore({ path });
  await before.append(key, batchOf("before").slice(0, 2));
  await before.close();
  copyFileSync(path, files.copy);
  const other = await sqliteStore({ path: files.other });
  await other.append({ conversation: "other" }, batchOf("other"));
  await other.close();
  writeFileSync(files.text, "These are my notes.\n".repeat(2_000));
  const store = await sqliteStore({ path });
  onTestFinished(() => store.close().catch(() => {}));
  await store.append(key, [said("before")]);
  return { store, path, files };
}
