import { existsSync } from "node:fs";
import { chmod, link, lstat, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { contents, grounds } from "../../test/grounds.ts";
import { openRoot } from "./confine/root.ts";
import { readTool } from "./read-tool.ts";
import { writeTool } from "./write-tool.ts";

describe("write", () => {
  const ground = grounds();
  const open = () => openRoot(ground.root, { access: "project" });
  const write = async (file: string, content: string, signal?: AbortSignal) =>
    call(writeTool(await open()), { file, content }, signal);
  const overwrite = async (file: string, content: string, signal?: AbortSignal) =>
    call(writeTool(await open()), { file, content, overwrite: true }, signal);
  const inRoot = (name: string) => join(ground.root, name);

  it("creates a file and returns its size in bytes", async () => {
    const text = '{"api": "neu.com", "ü": 1}';
    expect(await write("./new.json", text)).toEqual({ file: "new.json", bytes: 27, created: true });
    expect(await readFile(inRoot("new.json"), "utf8")).toBe(text);
  });

  it("does not change an existing file, and says what to do instead", async () => {
    await expect(write("config.json", "{}")).rejects.toMatchObject({
      code: "exists",
      message: expect.stringMatching(/Use edit .* "overwrite": true/),
    });
    expect(await readFile(inRoot("config.json"), "utf8")).toBe('{"api": "old.com"}');
  });

  it("replaces the whole content of a file with overwrite", async () => {
    expect(await overwrite("config.json", "{}")).toEqual({ file: "config.json", bytes: 2, created: false });
    expect(await readFile(inRoot("config.json"), "utf8")).toBe("{}");
    expect(await overwrite("new.json", "{}")).toMatchObject({ created: true });
  });

  it("lets exactly one of many concurrent calls create a file, and keeps its content", async () => {
    const versions = Array.from({ length: 20 }, (_, version) => String(version).repeat(10_000));
    const results = await Promise.allSettled(versions.map((version) => write("contested.txt", version)));
    const won = results.flatMap(({ status }, index) => (status === "fulfilled" ? [versions[index]] : []));
    expect(won).toEqual([await readFile(inRoot("contested.txt"), "utf8")]);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "exists" });
    }
  });

  it("does not overwrite a file that another process creates meanwhile", async () => {
    const tool = writeTool(await open());
    for (let round = 0; round < 50; round += 1) {
      const file = `race-${round}.txt`;
      const [ours, theirs] = await Promise.allSettled([
        call(tool, { file, content: "ours" }),
        writeFile(inRoot(file), "theirs", { flag: "wx" }),
      ]);
      expect([ours.status, theirs.status].sort()).toEqual(["fulfilled", "rejected"]);
      expect(await readFile(inRoot(file), "utf8")).toBe(ours.status === "fulfilled" ? "ours" : "theirs");
    }
  });

  it("creates missing folders", async () => {
    await write("a/b/c/new.txt", "x");
    expect(await readFile(inRoot("a/b/c/new.txt"), "utf8")).toBe("x");
  });

  it("leaves no temporary file", async () => {
    const before = await readdir(ground.root);
    await overwrite("config.json", "{}");
    await write("config.json", "{}").catch(() => {});
    expect(await readdir(ground.root)).toEqual(before);
    await write("new.txt", "x");
    expect(await readdir(ground.root)).toEqual([...before, "new.txt"].sort());
    expect((await stat(inRoot("new.txt"))).nlink).toBe(1);
  });

  it("removes the folders that it made if the file is not written", async () => {
    const before = await contents(ground.root);
    await expect(write(`new/folder/${"a".repeat(300)}`, "x")).rejects.toMatchObject({ code: "path_invalid" });
    const controller = new AbortController();
    const writing = write("other/folder/a.txt", "x".repeat(10_000_000), controller.signal);
    await expect.poll(() => existsSync(inRoot("other/folder")), { interval: 1 }).toBe(true);
    controller.abort(new Error("left"));
    await expect(writing).rejects.toThrow("left");
    expect(await contents(ground.root)).toEqual(before);
  });

  it("refuses half a character, which no file can hold", async () => {
    await expect(write("half.txt", "a\ud800b")).rejects.toThrow("content: holds half a character");
  });

  it("keeps the mode of a file that it replaces", async () => {
    await chmod(inRoot("config.json"), 0o751);
    await overwrite("config.json", "{}");
    expect((await stat(inRoot("config.json"))).mode & 0o777).toBe(0o751);
  });

  it("writes to the target of a link inside the root, and keeps the link", async () => {
    await expect(write("inside-file", "{}")).rejects.toMatchObject({ code: "exists" });
    await overwrite("inside-file", "{}");
    expect(await readFile(inRoot("config.json"), "utf8")).toBe("{}");
    expect((await lstat(inRoot("inside-file"))).isSymbolicLink()).toBe(true);
  });

  it("does not change a file outside that is a hard link of the same file", async () => {
    await link(join(ground.outside, "secret.txt"), inRoot("hard.txt"));
    await overwrite("hard.txt", "mine");
    expect(await readFile(join(ground.outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  it.each(["src", "src/", ".", "new/", "new/."])("refuses %s, which names a folder", async (path) => {
    const before = await contents(ground.root);
    await expect(overwrite(path, "x")).rejects.toMatchObject({ code: "not_a_file" });
    expect(await contents(ground.root)).toEqual(before);
  });

  it("refuses a pipe", async () => {
    await expect(overwrite("pipe", "x")).rejects.toMatchObject({ code: "not_a_file" });
    expect((await lstat(inRoot("pipe"))).isFIFO()).toBe(true);
  });

  it.each([write, overwrite])("writes nothing once its signal has aborted", async (writing) => {
    const before = await contents(ground.root);
    const refused = expect(writing(writing === write ? "new.txt" : "config.json", "{}", AbortSignal.abort()));
    await refused.rejects.toMatchObject({ name: "AbortError" });
    expect(await contents(ground.root)).toEqual(before);
  });

  it("never shows a reader half of a file, however many calls write it", async () => {
    const versions = Array.from({ length: 20 }, (_, version) => String(version % 10).repeat(50_000));
    const read = readTool(await open());
    const writing = Promise.all(versions.map((version) => overwrite("config.json", version)));
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

  it("reports a diff as progress, and does not show it to the model", async () => {
    const updates: Json[] = [];
    const tool = writeTool(await open());
    const watch = (update: Json) => updates.push(update);
    await call(tool, { file: "new.txt", content: "one\ntwo\n" }, undefined, watch);
    await call(tool, { file: "new.txt", content: "one\n2\n", overwrite: true }, undefined, watch);
    await writeFile(inRoot("binary"), Uint8Array.of(0, 1));
    const result = await call(tool, { file: "binary", content: "x", overwrite: true }, undefined, watch);
    expect(updates).toEqual([
      { file: "new.txt", diff: "--- /dev/null\n+++ new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n" },
      { file: "new.txt", diff: "--- new.txt\n+++ new.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" },
      { file: "binary", diff: expect.stringContaining("not text") },
    ]);
    expect(result).toEqual({ file: "binary", bytes: 1, created: false });
  });

  it("declares that it is destructive", async () => {
    const { annotations } = writeTool(await open());
    expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });
});
