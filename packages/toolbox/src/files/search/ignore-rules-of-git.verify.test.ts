import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { grounds } from "../../../test/grounds.ts";
import { withFolder } from "../confine/confined-folder.ts";
import { openRoot } from "../confine/root.ts";
import { findTool } from "../find-tool.ts";
import { compileIgnoreLine } from "./ignore-pattern.ts";
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
  ])("finds the same files as git, given %s", async (_, files) => {
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

  it("applies the rules of the folders above the start", async () => {
    await put({ ...tree, ".gitignore": "*.log\n/pkg/a.txt\n" });
    expect(await walked("pkg")).toEqual(["build/out.js", "deep/a.txt"]);
  });

  it("searches an ignored folder that path names", async () => {
    await put({ ...tree, ".gitignore": "build/\npkg/\n" });
    expect(await walked("build")).toEqual(["out.js"]);
    expect(await walked("pkg/deep")).toEqual(["a.txt", "keep.log"]);
  });

  it("does not apply the outer rules in a repository within another one", async () => {
    await put({ ...tree, ".gitignore": "*.txt\n", "pkg/.git/HEAD": "ref: refs/heads/main\n" });
    expect(await walked("pkg/deep")).toEqual(["a.txt", "keep.log"]);
  });

  it("ignores a .gitignore that is a link or not text", async () => {
    await put(tree);
    await writeFile(join(ground.outside, "rules"), "*\n");
    await symlink("../outside/rules", join(ground.root, ".gitignore"));
    expect(await walked("pkg")).toContain("a.txt");
    await put({ "pkg/.gitignore": "*\n\0" });
    expect(await walked("pkg")).toContain("a.txt");
  });

  it("applies all rules for endings within the limit, however long a name is", async () => {
    const name = `${"a-name-as-a-test-runner-makes-it-".repeat(7)}.secret`;
    const endings = Array.from({ length: 999 }, (_, number) => `*.ext${number}\n/build/**/*.ext${number}`);
    await put({ ".gitignore": `*.secret\n${endings.join("\n")}`, [name]: "", "other.txt": "" });
    const root = await openRoot(ground.root, { access: "project" });
    expect(await call(findTool(root), { pattern: "*.{secret,txt}" })).toEqual({ files: ["other.txt"] });
  });

  it("reads the lines of a .gitignore as git does", async () => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    execFileSync("git", ["init", "-q", ground.root]);
    const lines =
      `a*b a?b [ab] [!ab] [^a] [a-c]x []a]b [!]a]b [[:digit:]]x [[:alpha:]] [[:none:]]x [a \\*a \\a a\\ \\!a \\#a a** **a
      a/**/b **/b b/** /a a/ /a/b /a/ ** */b a/* ! !a / // a//b . a-[0-9][0-9] *.[oa] *~ .#* a\\[b`.split(/\s+/);
    const paths =
      `a b ab axb a/b a/x/b b/a x/b/a a/a/b cx ax dx ]b 1x [a *a a* a\\ !a #a x~ .#x a-12 a-1x a.o a.c .a a[b x/a x/ab A`.split(
        /\s+/,
      );
    for (const line of [...lines, "a ", "a\\ ", " a", "a  \r"]) {
      await put({ ".gitignore": `${line}\n` });
      const args = ["-C", ground.root, "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"];
      const { stdout } = spawnSync("git", args, { input: paths.join("\0"), env, encoding: "utf8" });
      const fields = stdout.split("\0");
      const pattern = compileIgnoreLine(line.replace(/\r$/, ""), false);
      for (const [index, path] of paths.entries()) {
        const rule = fields[4 * index + 2] ?? "";
        const names = path.split("/");
        const ours = names.some((_name, end) => {
          const isFolder = end < names.length - 1;
          // An exception for a folder does not decide about the entries in it.
          if (isFolder && pattern?.isException) return false;
          return (
            pattern && (isFolder || !pattern.onlyFolders) && pattern.matches(names.slice(0, end + 1), { left: 1e6 })
          );
        });
        expect([line, path, ours], `${line} on ${path}`).toEqual([line, path, rule !== ""]);
      }
    }
  });
});
