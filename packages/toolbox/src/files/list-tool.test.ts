import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { grounds } from "../../test/grounds.ts";
import { openRoot } from "./confine/root.ts";
import { findTool } from "./find-tool.ts";
import { listTool } from "./list-tool.ts";

describe("list", () => {
  const ground = grounds();
  const list = async (args: { path?: string; depth?: number; pattern?: string }) =>
    call(listTool(await openRoot(ground.root, { access: "project" })), args);

  it("returns sorted names, with a slash after folders", async () => {
    expect(await list({ path: "src" })).toEqual({ path: "src", entries: ["deep/", "link-up", "main.ts"] });
  });

  it("lists the root when it is given no path", async () => {
    expect(await list({})).toMatchObject({ path: ".", entries: expect.arrayContaining(["config.json", "src/"]) });
    expect(await list({})).toEqual(await list({ path: "." }));
  });

  it("shows the real path of a folder that was reached through a link", async () => {
    expect(await list({ path: "inside-folder" })).toEqual(await list({ path: "src" }));
  });

  it("lists an empty folder", async () => {
    await mkdir(join(ground.root, "empty"));
    expect(await list({ path: "empty" })).toEqual({ path: "empty", entries: [] });
  });

  it("returns at most 500 names and counts the others", async () => {
    await mkdir(join(ground.root, "many"));
    const names = Array.from({ length: 507 }, (_, index) => String(index).padStart(3, "0"));
    await Promise.all(names.map((name) => writeFile(join(ground.root, "many", name), "")));
    expect(await list({ path: "many" })).toEqual({ path: "many", entries: names.slice(0, 500), truncated: 7 });
  });

  describe("with a depth", () => {
    const put = async (...names: string[]) => {
      for (const name of names) {
        await mkdir(join(ground.root, "tree", name, ".."), { recursive: true });
        await writeFile(join(ground.root, "tree", name), "");
      }
    };
    const numbered = (folder: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${folder}/${String(index).padStart(4, "0")}`);

    it("shows the tree below a folder as sorted paths", async () => {
      await put("a/b/c.txt", "a/d.txt", "e.txt");
      const tree = (depth: number) => list({ path: "tree", depth });
      expect(await tree(1)).toEqual({ path: "tree", entries: ["a/", "e.txt"] });
      expect(await tree(2)).toEqual({ path: "tree", entries: ["a/", "a/b/", "a/d.txt", "e.txt"] });
      expect(await tree(8)).toEqual({ path: "tree", entries: ["a/", "a/b/", "a/b/c.txt", "a/d.txt", "e.txt"] });
    });

    it("leaves out folders that hold no source and says so, and enters neither links nor what git ignores", async () => {
      await put(".git/HEAD", "node_modules/a/b.js", ".venv/a.py", "src/__pycache__/a.pyc", "src/venv");
      await put("dist/a.js", "src/dist/a.js", "src/a.log");
      await writeFile(join(ground.root, "tree", ".gitignore"), "dist/\n");
      await symlink(join(ground.root, "src"), join(ground.root, "tree", "link"));
      expect(await list({ path: "tree", depth: 8 })).toEqual({
        path: "tree",
        entries: [".gitignore", "dist/", "link", "src/", "src/a.log", "src/dist/", "src/venv"],
        note: 'Left out 4 entries that hold no source: .git, .venv, node_modules, __pycache__. To look into one, give it as "path".',
      });
      expect(await list({ path: "tree/node_modules", depth: 2 })).toEqual({
        path: "tree/node_modules",
        entries: ["a/", "a/b.js"],
      });
      expect(await list({ path: "tree/.git" })).toMatchObject({ entries: ["HEAD"] });
      expect(await list({ path: "tree/dist", depth: 2 })).toMatchObject({ entries: ["a.js"] });
    });

    it("leaves out the same as find does", async () => {
      await put(
        ...".git .hg .venv venv node_modules __pycache__ .tox .mypy_cache NODE_MODULES"
          .split(" ")
          .map((name) => `${name}/a.txt`),
      );
      await put("build/a.txt", "target/a.txt", "vendor/a.txt", "dist/a.txt", "out/a.txt");
      const kept = ["build", "dist", "out", "target", "vendor"];
      expect(await list({ path: "tree" })).toMatchObject({ entries: kept.map((name) => `${name}/`) });
      const find = findTool(await openRoot(ground.root, { access: "project" }));
      const found = await call(find, { path: "tree", pattern: "a.txt", ignored: true });
      expect(found).toEqual({ files: kept.map((name) => `tree/${name}/a.txt`) });
      expect(await call(find, { path: "tree/.venv", pattern: "*" })).toEqual({ files: ["tree/.venv/a.txt"] });
    });

    it("gives folders equal shares, so that a huge one does not hide the others, and counts what it left out", async () => {
      await put(...numbered("huge", 600), ...numbered("large", 300), ...numbered("small", 10));
      const listing = await list({ path: "tree", depth: 2 });
      const { entries } = listing as { entries: string[] };
      const count = (folder: string) => entries.filter((entry) => entry.startsWith(folder)).length - 1;
      expect(entries).toHaveLength(500);
      expect(count("small/")).toBe(10);
      expect(Math.abs(count("huge/") - count("large/"))).toBeLessThanOrEqual(1);
      expect(listing).toMatchObject({
        truncated: 413,
        leftOut: { "huge/": 600 - count("huge/"), "large/": 300 - count("large/") },
      });
    });

    it("counts the folders that it did not open for lack of room", async () => {
      await put(...numbered("many", 499), "more/a.txt", "more/folder/a.txt");
      expect(await list({ path: "tree", depth: 3 })).toMatchObject({ truncated: 3, unopened: 1 });
    });

    it("shows only the entries that match a pattern, in all levels", async () => {
      await put("a/b/c.ts", "a/d.js", "e.ts");
      expect(await list({ path: "tree", depth: 3, pattern: "*.ts" })).toEqual({
        path: "tree",
        entries: ["a/b/c.ts", "e.ts"],
      });
      expect(await list({ path: "tree", depth: 3, pattern: "a/*" })).toMatchObject({ entries: ["a/b/", "a/d.js"] });
      await expect(list({ pattern: "../*" })).rejects.toMatchObject({ code: "pattern_invalid" });
    });

    it.each([0, 9, 1.5])("rejects a depth of %s", async (depth) => {
      await expect(list({ depth })).rejects.toThrow("depth");
    });
  });

  it("stops when its signal aborts", async () => {
    const tool = listTool(await openRoot(ground.root, { access: "project" }));
    await expect(call(tool, { depth: 8 }, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  });

  it("refuses a file, and a folder that does not exist with the nearest names", async () => {
    await expect(list({ path: "config.json" })).rejects.toMatchObject({ code: "not_a_folder" });
    await expect(list({ path: "scr" })).rejects.toThrow('Did you mean "src"?');
  });
});
