import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { grounds } from "../../test/grounds.ts";
import { openRoot } from "./confine/root.ts";
import { findTool } from "./find-tool.ts";
import { replaceTool } from "./replace-tool.ts";

describe("find", () => {
  const ground = grounds();
  const find = async (args: JsonObject, signal?: AbortSignal) =>
    call(findTool(await openRoot(ground.root, { access: "project" })), args, signal);
  const put = async (name: string, content: string | Uint8Array) => {
    await mkdir(join(ground.root, name, ".."), { recursive: true });
    await writeFile(join(ground.root, name), content);
  };

  it("finds files by name in all folders, and returns paths that read accepts", async () => {
    expect(await find({ pattern: "*.ts" })).toEqual({ files: ["src/deep/part.ts", "src/main.ts"] });
  });

  it("matches a pattern with a slash against the path below the folder it looks in", async () => {
    expect(await find({ pattern: "deep/*.ts", path: "src" })).toEqual({ files: ["src/deep/part.ts"] });
    expect(await find({ pattern: "deep/*.ts" })).toEqual({ files: [] });
  });

  it("finds lines by content, counted from 1", async () => {
    await put("notes.md", "one\ntwo part\n\nthree\n");
    expect(await find({ content: "part" })).toEqual({
      matches: [
        { file: "notes.md", line: 2, text: "two part" },
        { file: "src/deep/part.ts", line: 1, text: "export const part = 1;" },
        { file: "src/main.ts", line: 1, text: 'import "./deep/part.ts";' },
      ],
    });
  });

  it("finds content only in the files that match the pattern", async () => {
    expect(await find({ content: "part", pattern: "main.*" })).toMatchObject({ matches: [{ file: "src/main.ts" }] });
  });

  it("searches for content literally by default", async () => {
    await put("regex.txt", "a.*b\naxxb\n");
    expect(await find({ content: "a.*b" })).toEqual({ matches: [{ file: "regex.txt", line: 1, text: "a.*b" }] });
  });

  it("searches for content as an expression with regex, and in any letter case with ignoreCase", async () => {
    await put("notes.md", "Alpha beta\nalpha  beta\ngamma\n");
    const lines = async (args: JsonObject) =>
      ((await find({ ...args, pattern: "notes.md" })) as { matches: { line: number }[] }).matches.map(
        ({ line }) => line,
      );
    expect(await lines({ content: "^alpha\\s+beta$", regex: true })).toEqual([2]);
    expect(await lines({ content: "^alpha\\s+beta$", regex: true, ignoreCase: true })).toEqual([1, 2]);
    expect(await lines({ content: "ALPHA B", ignoreCase: true })).toEqual([1]);
    await expect(find({ content: "a(", regex: true })).rejects.toMatchObject({ code: "expression_invalid" });
  });

  it("leaves out what git ignores, unless ignored is true", async () => {
    await put(".gitignore", "*.log\nout/\n");
    for (const name of ["a.log", "out/a.ts", "src/out/a.ts", "src/b.log"]) await put(name, "needle");
    await put("src/.gitignore", "!b.log\n");
    expect(await find({ content: "needle" })).toMatchObject({ matches: [{ file: "src/b.log" }] });
    expect(await find({ pattern: "a.*", ignored: true })).toEqual({ files: ["a.log", "out/a.ts", "src/out/a.ts"] });
    expect(await find({ pattern: "*", path: "src/out" })).toEqual({ files: ["src/out/a.ts"] });
  });

  it("leaves out .git and node_modules, unless path names them", async () => {
    await put("node_modules/left/pad.ts", "part");
    await put(".git/config", "part");
    expect(await find({ pattern: "*.ts" })).toEqual({ files: ["src/deep/part.ts", "src/main.ts"] });
    expect(await find({ pattern: "*.ts", path: "node_modules/left" })).toEqual({ files: ["node_modules/left/pad.ts"] });
  });

  it("follows no link: it finds nothing outside, and nothing inside twice", async () => {
    expect(await find({ content: "SECRET" })).toEqual({ matches: [] });
    expect(await find({ pattern: "secret.txt" })).toEqual({ files: [] });
    expect(await find({ pattern: "inside-file" })).toEqual({ files: [] });
  });

  it("says how many files it did not search because they are binary or large", async () => {
    await put("binary.dat", Uint8Array.of(112, 97, 114, 116, 0));
    await put("large.txt", "part\n".repeat(300_000));
    expect(await find({ content: "part", pattern: "*.{dat,txt}" })).toEqual({
      matches: [],
      skipped: { binary: 1, large: 1 },
    });
  });

  it("gives at most 200 files or 100 lines and says that there may be more", async () => {
    await Promise.all(Array.from({ length: 201 }, (_, index) => put(`many/${index}.md`, "")));
    const names = await find({ pattern: "*.md" });
    expect(names).toMatchObject({ truncated: true });
    expect(names).toHaveProperty("files.length", 200);
    await put("lines.txt", "part\n".repeat(100));
    expect(await find({ content: "part", pattern: "lines.txt" })).not.toHaveProperty("truncated");
    await put("lines.txt", "part\n".repeat(101));
    const lines = await find({ content: "part", pattern: "lines.txt" });
    expect(lines).toMatchObject({ truncated: true });
    expect(lines).toHaveProperty("matches.length", 100);
  });

  it("goes no deeper than 64 folders and says so", async () => {
    await put(`${"d/".repeat(63)}deep.md`, "");
    await put(`${"e/".repeat(64)}too-deep.md`, "");
    expect(await find({ pattern: "*deep.md" })).toEqual({
      files: [`${"d/".repeat(63)}deep.md`],
      skipped: { unreadable: 1 },
    });
  });

  it("rejects a call without pattern and content", async () => {
    await expect(find({})).rejects.toThrow('give "pattern", "content" or both');
  });

  it.each(["../*", "/etc/*", "src/../../*", "{../outside,src}/*"])("refuses the pattern %s", async (pattern) => {
    await expect(find({ pattern })).rejects.toMatchObject({ code: "pattern_invalid" });
  });

  it("stops when its signal aborts", async () => {
    await expect(find({ pattern: "*" }, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  });

  describe("with brackets in names", () => {
    const names = [
      "app/[slug]/page.tsx",
      "app/s/page.tsx",
      "app/[...all]/page.tsx",
      "app/{a,b}.txt",
      "[id].ts",
      "i.ts",
    ];
    const made = async () => {
      const root = await openRoot(ground.root, { access: "project" });
      for (const file of names) {
        await mkdir(dirname(join(ground.root, file)), { recursive: true });
        await writeFile(join(ground.root, file), "old");
      }
      return root;
    };

    it.each<[pattern: string, files: string[]]>([
      ["app/[slug]/page.tsx", ["app/[slug]/page.tsx", "app/s/page.tsx"]],
      ["./app/[slug]/page.tsx", ["app/[slug]/page.tsx", "app/s/page.tsx"]],
      ["app/[...all]/page.tsx", ["app/[...all]/page.tsx"]],
      ["app/{a,b}.txt", ["app/{a,b}.txt"]],
      ["[id].ts", ["[id].ts", "i.ts"]],
    ])("finds the file that the pattern %j names, before those that match", async (pattern, files) => {
      const found = (await call(findTool(await made()), { pattern })) as { files: string[]; note?: string };
      expect(found.files).toEqual(files);
      if (pattern.includes("[")) expect(found.note).toContain("matches one character of the set");
    });

    it("says what brackets are if nothing matches", async () => {
      expect(await call(findTool(await made()), { pattern: "app/[none]/x.tsx" })).toEqual({
        files: [],
        note: expect.stringContaining('"\\[none\\]" matches only the name'),
      });
    });

    it("are lines of that file, too", async () => {
      const found = await call(findTool(await made()), { pattern: "app/[slug]/page.tsx", content: "old" });
      expect((found as { matches: { file: string }[] }).matches.map(({ file }) => file)).toContain(
        "app/[slug]/page.tsx",
      );
    });

    it("let a replace change that file alone", async () => {
      const root = await made();
      const args = { find: "old", with: "new", pattern: "app/[slug]/page.tsx" };
      expect(await call(replaceTool(root), args)).toMatchObject({ files: [{ file: "app/[slug]/page.tsx" }], total: 1 });
    });
  });
});
