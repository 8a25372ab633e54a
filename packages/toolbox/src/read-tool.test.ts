import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../test/call.ts";
import { grounds } from "../test/grounds.ts";
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
