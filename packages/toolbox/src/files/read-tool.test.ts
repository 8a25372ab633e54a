import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { grounds } from "../../test/grounds.ts";
import { readTool } from "./read-tool.ts";
import { openRoot } from "./root.ts";

describe("read", () => {
  const ground = grounds();
  const read = async (file: string) => call(readTool(await openRoot(ground.root)), { file });
  const put = (name: string, content: string | Uint8Array) => writeFile(join(ground.root, name), content);

  it("returns the text of a file, as it is", async () => {
    await put("text.txt", "\ufeffzwölf 🐟\r\n\ttabs\n");
    expect(await read("text.txt")).toBe("\ufeffzwölf 🐟\r\n\ttabs\n");
    await put("empty.txt", "");
    expect(await read("empty.txt")).toBe("");
  });

  it("follows a link that stays inside the root", async () => {
    expect(await read("inside-folder/main.ts")).toBe(await read("src/main.ts"));
  });

  it("names the nearest files when there is no such file", async () => {
    await expect(read("confg.json")).rejects.toMatchObject({
      code: "not_found",
      message: '"confg.json" does not exist: there is no "confg.json" in the root folder. Did you mean "config.json"?',
    });
    await expect(read("src/dep/part.ts")).rejects.toThrow('there is no "dep" in "src". Did you mean "src/deep"?');
    await expect(read("src/unheard-of.ts")).rejects.toThrow("List that folder to see what is there.");
  });

  it("refuses a folder and says what to use instead", async () => {
    await expect(read("src")).rejects.toMatchObject({ code: "not_a_file" });
    await expect(read("src")).rejects.toThrow("Use list");
  });

  it("refuses a pipe at once instead of waiting for a writer", async () => {
    await expect(read("pipe")).rejects.toMatchObject({ code: "not_a_file" });
  });

  it("refuses a file over 256 KiB with its size, and takes one of exactly that", async () => {
    await put("full.txt", "x".repeat(256 * 1024));
    expect(await read("full.txt")).toHaveLength(256 * 1024);
    await put("large.txt", "x".repeat(256 * 1024 + 1));
    await expect(read("large.txt")).rejects.toMatchObject({ code: "too_large" });
    await expect(read("large.txt")).rejects.toThrow("262145 bytes");
  });

  it("advises find for a larger file only as far as find goes", async () => {
    await put("large.txt", "x".repeat(1024 * 1024));
    await expect(read("large.txt")).rejects.toThrow('Use find with "content"');
    await put("huge.txt", "x".repeat(1024 * 1024 + 1));
    await expect(read("huge.txt")).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringMatching(/1048577 bytes.*find does not search in it either.*1048576 bytes/),
    });
  });

  it.runIf(process.platform === "linux")("reads files whose size the system does not tell", async () => {
    const tool = readTool(await openRoot("/"));
    for (const file of ["/proc/version", "/proc/sys/kernel/pid_max"]) {
      expect(await call(tool, { file })).toBe(await readFile(file, "utf8"));
    }
    // Many reads, and still the whole of it.
    expect(String(await call(tool, { file: `/proc/${process.pid}/maps` })).length).toBeGreaterThan(4096);
  });

  it("gives the whole of a file that grows while it is being read", async () => {
    await put("growing.txt", "x".repeat(1000));
    const tool = readTool(await openRoot(ground.root));
    for (let size = 1000; size < 1100; size += 1) {
      const [text] = await Promise.all([
        call(tool, { file: "growing.txt" }),
        appendFile(join(ground.root, "growing.txt"), "x"),
      ]);
      expect(String(text)).toMatch(/^x{1000,}$/);
    }
  });

  it.each([
    ["a byte of zero", Uint8Array.of(104, 105, 0)],
    ["bytes that are not UTF-8", Uint8Array.of(0xff, 0xfe, 0xfd)],
    ["Latin-1", Uint8Array.of(0x7a, 0xf6)],
  ])("refuses %s as no text", async (_, bytes) => {
    await put("binary", bytes);
    await expect(read("binary")).rejects.toMatchObject({ code: "not_text" });
  });

  it("declares that it changes nothing", async () => {
    expect(readTool(await openRoot(ground.root)).annotations).toMatchObject({ readOnlyHint: true });
  });
});
