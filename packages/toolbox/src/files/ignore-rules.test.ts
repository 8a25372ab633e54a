import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { grounds } from "../../test/grounds.ts";
import { withFolder } from "./confined-folder.ts";
import { rulesAbove } from "./ignore-rules.ts";
import { openRoot } from "./root.ts";
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

  /** What a walk of a folder meets, without the files that tell what to ignore. */
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

  const tree = {
    "a.log": "",
    "a.txt": "",
    "build/out.js": "",
    "pkg/a.log": "",
    "pkg/a.txt": "",
    "pkg/build/out.js": "",
    "pkg/deep/keep.log": "",
    "pkg/deep/a.txt": "",
    "we[i]rd/a.txt": "",
    "we[i]rd/b.txt": "",
  };

  it.each<[what: string, files: Record<string, string>]>([
    ["no rules", {}],
    ["a name in all folders", { ".gitignore": "*.log\n" }],
    ["a folder", { ".gitignore": "build/\n" }],
    ["a path from the top", { ".gitignore": "/build\n/pkg/a.txt" }],
    ["a path in the middle", { ".gitignore": "pkg/build/\n" }],
    ["rules of an inner folder", { "pkg/.gitignore": "a.txt\n" }],
    ["rules of an inner folder from there", { "pkg/.gitignore": "/a.txt\n" }],
    ["an inner exception", { ".gitignore": "*.log\n", "pkg/deep/.gitignore": "!keep.log\n" }],
    ["an inner exception for a folder", { ".gitignore": "build/\n", "pkg/.gitignore": "!build/\n" }],
    ["no exception within an ignored folder", { ".gitignore": "pkg/\n", "pkg/deep/.gitignore": "!keep.log\n" }],
    ["the last rule that matches", { ".gitignore": "*.txt\n!a.txt\n" }],
    ["comments, blank lines, trailing spaces and CRLF", { ".gitignore": "# *.txt\r\n\r\n*.log  \r\n" }],
    ["two stars", { ".gitignore": "**/deep/**\n" }],
    ["rules in a folder whose name is a pattern", { "we[i]rd/.gitignore": "a.txt\n/b*\n" }],
    [".git/info/exclude", { ".git/info/exclude": "*.log\n" }],
    [".git/info/exclude and an exception", { ".git/info/exclude": "*.log\n", ".gitignore": "!a.log\n" }],
  ])("meets the files that git would, given %s", async (_, files) => {
    await put(tree);
    execFileSync("git", ["init", "-q", ground.root]);
    await put(files);
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const args = ["-C", ground.root, "ls-files", "--others", "--exclude-standard", "-z"];
    const names = execFileSync("git", args, { env, encoding: "utf8" }).split("\0");
    const links = new Set(["link", "inside"]);
    const expected = names.filter(
      (name) =>
        name !== "" && !name.endsWith(".gitignore") && !links.has(name.replace(/^src\//, "").split("-")[0] ?? ""),
    );
    expect((await walked()).sort()).toEqual(expected.sort());
  });

  it("knows the rules of the folders above the one where it begins", async () => {
    await put({ ...tree, ".gitignore": "*.log\n/pkg/a.txt\n" });
    expect(await walked("pkg")).toEqual(["build/out.js", "deep/a.txt"]);
  });

  it("looks into an ignored folder that is asked for by name", async () => {
    await put({ ...tree, ".gitignore": "build/\npkg/\n" });
    expect(await walked("build")).toEqual(["out.js"]);
    expect(await walked("pkg/deep")).toEqual(["a.txt", "keep.log"]);
  });

  it("begins anew in a repository within another one", async () => {
    await put({ ...tree, ".gitignore": "*.txt\n", "pkg/.git/HEAD": "ref: refs/heads/main\n" });
    expect(await walked("pkg/deep")).toEqual(["a.txt", "keep.log"]);
  });

  it("reads no rules through a link, and none that are not text", async () => {
    await put(tree);
    await writeFile(join(ground.outside, "rules"), "*\n");
    await symlink("../outside/rules", join(ground.root, ".gitignore"));
    expect(await walked("pkg")).toContain("a.txt");
    await put({ "pkg/.gitignore": "*\n\0" });
    expect(await walked("pkg")).toContain("a.txt");
  });

  it("leaves out rules that would take long on deep paths", async () => {
    await put({ ".gitignore": `${"**/a/".repeat(30)}b\n*.log\n`, [`${"a/".repeat(60)}c`]: "", "x.log": "" });
    const found = await walked();
    expect(found).toContain(`${"a/".repeat(60)}c`);
    expect(found).not.toContain("x.log");
  });
});
