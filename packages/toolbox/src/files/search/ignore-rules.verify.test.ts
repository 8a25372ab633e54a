import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { grounds } from "../../../test/grounds.ts";
import { withFolder } from "../confine/confined-folder.ts";
import { openRoot } from "../confine/root.ts";
import { findTool } from "../find-tool.ts";
import { rulesAbove } from "./ignore-rules.ts";
import { walkFiles } from "./walk-files.ts";

describe("IgnoreRules", () => {
  const ground = grounds();
  const { signal } = new AbortController();

  async function put(files: Record<string, string>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(ground.root, name)), { recursive: true });
      await writeFile(join(ground.root, name), content);
    }
  }

  /** The files that a walk yields, without the files that hold the rules. */
  async function walked(path = ""): Promise<string[]> {
    const root = await openRoot(ground.root, { access: "project" });
    const start = join(ground.root, path);
    const rules = await rulesAbove(root, start);
    const paths: string[] = [];
    await withFolder(root, start, async (folder) => {
      for await (const { path } of walkFiles(folder, { rules, signal })) paths.push(path);
    });
    return paths.filter((path) => !path.endsWith(".gitignore"));
  }

  describe("given hostile rules", () => {
    const deep = `${"a/".repeat(40)}${"a".repeat(200)}`;
    const star = "*a".repeat(400);

    it.each<[what: string, lines: string, problem: string]>([
      ["100,000 lines", "*.none\n".repeat(30_000), "more than 2000 rules"],
      ["a file of 700 kB", "# comment\n".repeat(70_000), "too large"],
      ["lines without an end", `${"a*".repeat(50_000)}\n`, "too long"],
      ["stars that match in many ways", `${`${star}[b]\n`.repeat(300)}`, "take too long"],
      ["folders that match in many ways", `${`${"**/a/".repeat(150)}[b]\n`.repeat(300)}`, "take too long"],
      ["two stars after two stars", `${`${"**/".repeat(300)}[b]\n`.repeat(250)}`, "take too long"],
      ["classes", `${`*${"[!b-z]".repeat(150)}*[b]\n`.repeat(200)}`, "take too long"],
    ])("continues within a limit of steps per path, and says so: %s", async (_, lines, problem) => {
      await put({ ".gitignore": `${lines}`, [deep]: "", "x.txt": "" });
      const root = await openRoot(ground.root, { access: "project" });
      const rules = await rulesAbove(root, root.path);
      let files = 0;
      let entries = 0;
      await withFolder(root, root.path, async (folder) => {
        const inner = await rules.enter(folder, await folder.entries());
        for await (const { path } of walkFiles(folder, { rules, signal })) {
          files += 1;
          entries += path.split("/").length;
        }
        expect(inner.ignores(join(root.path, "x.txt"), false)).toBe(false);
      });
      expect(files).toBeGreaterThanOrEqual(4);
      expect(rules.problems.join()).toContain(problem);
      expect(rules.steps).toBeLessThanOrEqual((2 * entries + 20) * 20_000);
      const found = await call(findTool(root), { pattern: "x.txt" });
      expect(found).toMatchObject({ files: ["x.txt"], note: expect.stringContaining(problem) });
    });

    it("applies the rules within the limit", async () => {
      await put({ ".gitignore": `*.log\n${"*.none\n".repeat(30_000)}`, "x.log": "", "x.txt": "" });
      expect(await walked()).not.toContain("x.log");
      expect(await walked()).toContain("x.txt");
    });

    it("applies ordinary rules of any number of folders above, without a note", async () => {
      const rules = Array.from({ length: 300 }, (_, number) => `*.ending${number}\nname${number}/\n/path/to/${number}`);
      await put({
        ".gitignore": rules.join("\n"),
        "pkg/.gitignore": rules.join("\n"),
        "pkg/a.ending7": "",
        "pkg/a.txt": "",
      });
      const root = await openRoot(ground.root, { access: "project" });
      expect(await call(findTool(root), { path: "pkg", pattern: "a.*" })).toEqual({ files: ["pkg/a.txt"] });
    });
  });
});
