import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Piece } from "@cogency/protocol/parts";
import type { Key, Store } from "@cogency/storage";
import { describe, expect, it, onTestFinished } from "vitest";
import { said } from "../../test/support/samples.ts";
import { spawnScript } from "../../test/support/spawn-script.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { sqliteStore } from "../sqlite-store.ts";

const key: Key = { conversation: "c" };
/** Milliseconds within which something happens on a busy machine. */
const patience = { timeout: 20_000 };

describe("what stands beside the database", () => {
  it("is nothing while nobody follows, however much is published", async () => {
    const { path, one } = await stores();
    const writer = writerOf(one);
    writer.write("x".repeat(1_000_000));
    await pause(600);
    expect(writer.publisher.isFollowed).toBe(false);
    expect(existsSync(`${path}-live`)).toBe(false);
  });

  it("is a folder that only its owner may enter, empty when nobody follows", async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const { path, one, other } = await stores();
    const [here, there] = [readerOf(one), readerOf(other)];
    await expect.poll(() => socketsOf(path), patience).toHaveLength(2);
    expect((statSync(`${path}-live`).mode & 0o777).toString(8)).toBe("700");
    here.leave();
    await expect.poll(() => socketsOf(path), patience).toHaveLength(1);
    await other.close();
    expect(readdirSync(`${path}-live`)).toEqual([]);
    expect(there.isOver()).toBe(true);
  });

  it("holds no letter of what is written", async () => {
    const { path, one, other } = await stores();
    const reader = readerOf(other);
    const writer = writerOf(one);
    writer.write("wallaby");
    await expect.poll(() => reader.text(), patience).toBe("wallaby");
    for (const name of readdirSync(dirname(path))) {
      const file = join(dirname(path), name);
      if (statSync(file).isFile()) expect(await contains(file, "wallaby")).toBe(false);
    }
    for (const name of socketsOf(path)) expect(statSync(join(`${path}-live`, name)).isSocket()).toBe(true);
  });

  it("does not grow with processes that are killed", async () => {
    const { path, one } = await stores();
    for (let round = 0; round < 3; round++) {
      const before = socketsOf(path);
      const child = spawnScript("live-elsewhere.ts", path, "follow");
      await once(child.stdout, "data");
      await expect.poll(() => socketsOf(path).some((name) => !before.includes(name)), patience).toBe(true);
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    expect(socketsOf(path).length).toBeGreaterThan(0);
    const reader = readerOf(one);
    await expect.poll(() => socketsOf(path), patience).toHaveLength(1);
    reader.leave();
    expect(readdirSync(`${path}-live`)).not.toContainEqual(expect.stringMatching(/^[0-9a-f]/));
  });

  it("removes what a process has left that was killed before it listened, and nothing that is not a socket", async () => {
    const { path, one, other } = await stores();
    mkdirSync(`${path}-live`, { mode: 0o700 });
    const names = ["new-0123456789ab.1", "new-ba9876543210.1", "0123456789ab.1", "notes.txt"];
    for (const name of names) writeFileSync(join(`${path}-live`, name), "x");
    const [old = "", ...others] = names;
    utimesSync(join(`${path}-live`, old), 1, 1);
    const reader = readerOf(one);
    const writer = writerOf(other);
    writer.write("x");
    await expect.poll(() => reader.text(), patience).toBe("x");
    await pause(1_200);
    reader.leave();
    expect(readdirSync(`${path}-live`).sort()).toEqual(others.toSorted());
  });

  it("is nothing for a database in memory", async () => {
    const memory = await sqliteStore({ path: ":memory:" });
    await carriesInOneProcess(memory);
    await memory.close();
    expect(existsSync(":memory:-live")).toBe(false);
  });
});

describe("pieces between processes", () => {
  it("pass where the path is much longer than the address of a socket may be, and through links", async () => {
    const folder = join(temporaryFolder(), ...Array.from({ length: 8 }, (_, index) => `${index}`.repeat(30)));
    const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("cogency-") && name.length === 14);
    const before = temporary();
    const one = await opened(join(folder, "store.db"));
    const link = join(temporaryFolder(), "link.db");
    symlinkSync(join(folder, "store.db"), link);
    const other = await opened(link);
    const reader = readerOf(one);
    const writer = writerOf(other);
    writer.write("x");
    await expect.poll(() => reader.text(), patience).toBe("x");
    expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
    reader.leave();
    expect(readdirSync(join(folder, "store.db-live"))).toEqual([]);
  });

  it("pass again after the folder was removed", async () => {
    const { path, one, other } = await stores();
    const reader = readerOf(one);
    await expect.poll(() => socketsOf(path), patience).toHaveLength(1);
    rmSync(`${path}-live`, { recursive: true });
    const writer = writerOf(other);
    writer.write("x");
    await expect.poll(() => reader.text(), patience).toBe("x");
  });

  it("are joined for a process that does not read, which gets what is open when it reads again", async () => {
    const { path, one } = await stores();
    mkdirSync(`${path}-live`, { mode: 0o700 });
    const received: string[] = [];
    const server = createServer((socket) => {
      socket.write('{"asks":[null,"c"]}\n');
      socket.once("data", () => socket.pause());
      socket.on("data", (chunk) => received.push(String(chunk)));
      setTimeout(() => socket.resume(), 1_500);
    });
    onTestFinished(() => void server.close());
    server.listen(join(`${path}-live`, "0123456789ab.1"));
    const writer = writerOf(one);
    writer.write("begin ");
    await expect.poll(() => writer.publisher.isFollowed, patience).toBe(true);
    await expect.poll(() => received.length, patience).toBeGreaterThan(0);
    const before = process.memoryUsage().arrayBuffers;
    let slowest = 0;
    for (let frame = 0; frame < 500; frame++) {
      const start = performance.now();
      writer.settle();
      writer.write("x".repeat(200_000));
      slowest = Math.max(slowest, performance.now() - start);
      if (frame % 50 === 0) await pause(0);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    expect(slowest).toBeLessThan(1_000);
    const last = () => {
      const lines = received.join("").trim().split("\n");
      const { pieces } = JSON.parse(lines.at(-1) ?? "") as { pieces: Piece[] };
      return pieces[0]?.type === "text" ? [pieces[0].unit, pieces[0].offset, pieces[0].text.length] : [];
    };
    await expect.poll(() => attempt(last), patience).toEqual([501, 0, 200_000]);
    expect(received.join("").length).toBeLessThan(10_000_000);
  });

  it("pass beside callers that say nonsense, end at once or never end a line", async () => {
    const { path, one, other } = await stores();
    const reader = readerOf(one);
    await expect.poll(() => socketsOf(path), patience).toHaveLength(1);
    const address = join(`${path}-live`, socketsOf(path)[0] ?? "");
    const nonsense = ["\n", "{}\n", '{"of":1}\n', '{"of":[null,"c"],"pieces":7}\n', "\u0000\n", "x".repeat(2_000_000)];
    for (const text of [...nonsense, '{"of":[null,"c"],"pieces":[null,{"type":"text"}]}\n', ""]) {
      const caller = connect(address).on("error", () => {});
      await once(caller, "connect");
      caller.end(text);
    }
    const writer = writerOf(other);
    writer.write("x");
    await expect.poll(() => reader.text(), patience).toBe("x");
  });

  it.each<[what: string, make: (folder: string) => void]>([
    ["a file", (folder) => writeFileSync(folder, "mine")],
    ["a link to another folder", (folder) => symlinkSync(elsewhere(), folder)],
    ["a link to nothing", (folder) => symlinkSync("nowhere", folder)],
    ["the folder of another user", (folder) => ofAnotherUser(folder)],
    ["a folder in which nothing can be created", (folder) => symlinkSync("/proc/self", folder)],
  ])("are lost, and nothing else, where %s has the place of the folder", async (_, make) => {
    const { path, one, other } = await stores();
    make(`${path}-live`);
    const target = statSync(`${path}-live`, { throwIfNoEntry: false });
    const reader = readerOf(one);
    writerOf(other).write("x");
    await pause(700);
    expect(reader.text()).toBe("");
    await carriesInOneProcess(one);
    expect(await one.append(key, [said("x")])).toBe(1);
    expect(await other.load(key)).toHaveLength(1);
    const after = statSync(`${path}-live`, { throwIfNoEntry: false });
    expect([after?.mode, after?.ino]).toEqual([target?.mode, target?.ino]);
    if (after?.isDirectory()) expect(readdirSync(`${path}-live`).filter((name) => name.endsWith(".1"))).toEqual([]);
  });

  it("go on in their processes when the database was removed", async () => {
    const { path, one, other } = await stores();
    const reader = readerOf(one);
    const writer = writerOf(other);
    writer.write("a");
    await expect.poll(() => reader.text(), patience).toBe("a");
    rmSync(path);
    writer.write("b");
    await expect.poll(() => reader.text(), patience).toBe("ab");
    await expect(one.load(key)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("do not keep a process alive that publishes, and keep one that follows", async () => {
    const { path } = await stores();
    const follower = spawnScript("live-elsewhere.ts", path, "follow");
    await once(follower.stdout, "data");
    const publisher = spawnScript("live-elsewhere.ts", path, "publish");
    const [code] = await once(publisher, "exit");
    expect(code).toBe(0);
    expect(follower.exitCode).toBeNull();
  });
});

async function stores(): Promise<{ path: string; one: Store; other: Store }> {
  const path = join(temporaryFolder(), "store.db");
  return { path, one: await opened(path), other: await opened(path) };
}

/** Opens a store, which is closed when the test ends. Several of one process are as those of several processes. */
async function opened(path: string): Promise<Store> {
  const store = await sqliteStore({ path });
  onTestFinished(() => store.close());
  return store;
}

function writerOf({ live }: Store) {
  let [unit, open] = [1, ""];
  const piece = (offset: number): Piece => ({ type: "text", run: "r", seq: 0, unit, offset, text: open.slice(offset) });
  const publisher = live.publisher(key, () => (open === "" ? [] : [piece(0)]));
  return {
    publisher,
    write(text: string) {
      open += text;
      publisher.publish([piece(open.length - text.length)]);
    },
    settle() {
      [unit, open] = [unit + 1, ""];
    },
  };
}

/** Reads the first unit, all the time. */
function readerOf({ live }: Store) {
  const leaving = new AbortController();
  let [text, isOver] = ["", false];
  void (async () => {
    for await (const pieces of live.follow(key, { signal: leaving.signal })) {
      for (const piece of pieces) if (piece.type === "text") text = text.slice(0, piece.offset) + piece.text;
    }
    isOver = true;
  })();
  return { text: () => text, isOver: () => isOver, leave: () => leaving.abort() };
}

async function carriesInOneProcess(store: Store): Promise<void> {
  const reader = readerOf(store);
  const writer = writerOf(store);
  writer.write("here");
  await expect.poll(() => reader.text(), patience).toBe("here");
  reader.leave();
  writer.publisher.close();
}

function socketsOf(path: string): string[] {
  return (attempt(() => readdirSync(`${path}-live`)) ?? []).filter((name) => /^[0-9a-f]+\.1$/.test(name));
}

function elsewhere(): string {
  return mkdtempSync(join(temporaryFolder(), "elsewhere-"));
}

/** Without the right to give a folder away, one that nobody may enter. */
function ofAnotherUser(folder: string): void {
  mkdirSync(folder);
  if (process.getuid?.() === 0) chownSync(folder, 12_345, 12_345);
  else chmodSync(folder, 0);
}

async function contains(file: string, text: string): Promise<boolean> {
  const { readFile } = await import("node:fs/promises");
  return (await readFile(file)).includes(text);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
