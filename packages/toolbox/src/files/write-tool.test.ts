import { chmod, link, lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { contents, grounds } from "../../test/grounds.ts";
import { readTool } from "./read-tool.ts";
import { openRoot } from "./root.ts";
import { writeTool } from "./write-tool.ts";

describe("write", () => {
  const ground = grounds();
  const write = async (file: string, content: string, signal?: AbortSignal) =>
    call(writeTool(await openRoot(ground.root)), { file, content }, signal);
  const inRoot = (name: string) => join(ground.root, name);

  it("creates a file and returns its size in bytes", async () => {
    expect(await write("new.json", '{"api": "neu.com", "ü": 1}')).toEqual({ bytes: 27 });
    expect(await readFile(inRoot("new.json"), "utf8")).toBe('{"api": "neu.com", "ü": 1}');
  });

  it("replaces the whole content of a file", async () => {
    await write("config.json", "{}");
    expect(await readFile(inRoot("config.json"), "utf8")).toBe("{}");
  });

  it("makes the folders that are missing", async () => {
    await write("a/b/c/new.txt", "x");
    expect(await readFile(inRoot("a/b/c/new.txt"), "utf8")).toBe("x");
  });

  it("leaves nothing else behind", async () => {
    const before = await readdir(ground.root);
    await write("config.json", "{}");
    expect(await readdir(ground.root)).toEqual(before);
  });

  it("keeps the mode of a file that it replaces", async () => {
    await chmod(inRoot("config.json"), 0o751);
    await write("config.json", "{}");
    expect((await stat(inRoot("config.json"))).mode & 0o777).toBe(0o751);
  });

  it("writes through a link that stays inside the root, and leaves the link a link", async () => {
    await write("inside-file", "{}");
    expect(await readFile(inRoot("config.json"), "utf8")).toBe("{}");
    expect((await lstat(inRoot("inside-file"))).isSymbolicLink()).toBe(true);
  });

  it("changes nothing outside that is the same file by a hard link", async () => {
    await link(join(ground.outside, "secret.txt"), inRoot("hard.txt"));
    await write("hard.txt", "mine");
    expect(await readFile(join(ground.outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  it.each(["src", "src/", ".", "new/", "new/."])("refuses %s, which names a folder", async (path) => {
    const before = await contents(ground.root);
    await expect(write(path, "x")).rejects.toMatchObject({ code: "not_a_file" });
    expect(await contents(ground.root)).toEqual(before);
  });

  it("refuses a pipe", async () => {
    await expect(write("pipe", "x")).rejects.toMatchObject({ code: "not_a_file" });
    expect((await lstat(inRoot("pipe"))).isFIFO()).toBe(true);
  });

  it("writes nothing once its signal has aborted", async () => {
    const before = await contents(ground.root);
    await expect(write("config.json", "{}", AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
    expect(await contents(ground.root)).toEqual(before);
  });

  it("is never seen half done, however many write at the same time", async () => {
    const versions = Array.from({ length: 20 }, (_, version) => String(version % 10).repeat(50_000));
    const read = readTool(await openRoot(ground.root));
    const writing = Promise.all(versions.map((version) => write("config.json", version)));
    const possible = new Set<unknown>([...versions, '{"api": "old.com"}']);
    let isWriting = true;
    void writing.finally(() => {
      isWriting = false;
    });
    do {
      const seen = await call(read, { file: "config.json" });
      expect(possible.has(seen)).toBe(true);
    } while (isWriting);
    await writing;
  });

  it("declares that it may destroy what was there", async () => {
    const { annotations } = writeTool(await openRoot(ground.root));
    expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });
});
