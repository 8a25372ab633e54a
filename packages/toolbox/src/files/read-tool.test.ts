import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { grounds } from "../../test/grounds.ts";
import { openRoot } from "./confine/root.ts";
import { readTool } from "./read-tool.ts";

describe("read", () => {
  const ground = grounds();
  const read = async (file: string, paging: { from?: number; lines?: number; column?: number } = {}) =>
    call(readTool(await openRoot(ground.root, { access: "project" })), { file, ...paging });
  const put = (name: string, content: string | Uint8Array) => writeFile(join(ground.root, name), content);

  it("returns the text of a file unchanged", async () => {
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

  it("returns a long file page by page", async () => {
    const lines = Array.from({ length: 4500 }, (_, index) => `line ${index + 1}\n`);
    await put("long.txt", lines.join(""));
    expect(await read("long.txt")).toEqual({
      text: lines.slice(0, 2000).join(""),
      from: 1,
      to: 2000,
      total: 4500,
      next: { from: 2001 },
    });
    expect(await read("long.txt", { from: 4001 })).toEqual({
      text: lines.slice(4000).join(""),
      from: 4001,
      to: 4500,
      total: 4500,
    });
    expect(await read("long.txt", { from: 7, lines: 1 })).toMatchObject({ text: "line 7\n", from: 7, to: 7 });
  });

  it("returns a page when asked for one, also of a short file", async () => {
    expect(await read("config.json", { from: 1 })).toEqual({ text: '{"api": "old.com"}', from: 1, to: 1, total: 1 });
    expect(await read("config.json", { lines: 5 })).toMatchObject({ text: '{"api": "old.com"}' });
  });

  it("says how to continue in a line that is too long for a page", async () => {
    await put("minified.js", "x".repeat(100_000));
    const first = await read("minified.js");
    expect(first).toMatchObject({
      from: 1,
      to: 1,
      total: 1,
      next: { from: 1, column: 65_537 },
      note: expect.stringContaining('"from": 1, "column": 65537'),
    });
    expect(await read("minified.js", { from: 1, column: 65_537 })).toMatchObject({ text: "x".repeat(34_464), to: 1 });
  });

  it("says how many lines the file has when asked for one beyond the end", async () => {
    await expect(read("config.json", { from: 2 })).rejects.toMatchObject({
      code: "range_invalid",
      message: '"config.json" has only 1 line. Give a smaller "from".',
    });
    await expect(read("config.json", { column: 99 })).rejects.toMatchObject({ code: "range_invalid" });
  });

  it.each([{ lines: 2001 }, { lines: 0 }, { from: 0 }, { from: 1.5 }])("refuses the page %j", async (paging) => {
    await expect(read("config.json", paging)).rejects.toThrow(/from|lines/);
  });

  it.runIf(process.platform === "linux")("reads files whose size the system does not report", async () => {
    const tool = readTool(await openRoot("/", { access: "project" }));
    for (const file of ["/proc/version", "/proc/sys/kernel/pid_max"]) {
      expect(await call(tool, { file })).toBe(await readFile(file, "utf8"));
    }
    // Many reads, and still page by page.
    expect(await call(tool, { file: "/proc/kallsyms" })).toMatchObject({ from: 1, next: { from: expect.any(Number) } });
  });

  it("returns all of a file that grows while it is read", async () => {
    await put("growing.txt", "x".repeat(1000));
    const tool = readTool(await openRoot(ground.root, { access: "project" }));
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
  ])("refuses %s as not text", async (_, bytes) => {
    await put("binary", bytes);
    await expect(read("binary")).rejects.toMatchObject({ code: "not_text" });
  });

  it("declares that it is read-only", async () => {
    expect(readTool(await openRoot(ground.root, { access: "project" })).annotations).toMatchObject({
      readOnlyHint: true,
    });
  });
});
