import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { treeDiff } from "./tree-diff.ts";

let folder = "";
let root = { base: "", given: "" };

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-tree-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const base = join(folder, "shop");
  root = { base, given: base };
  mkdirSync(join(base, "src"), { recursive: true });
});

const at = (name: string) => join(root.base, name);
const put = (name: string, text: string) => writeFileSync(at(name), text);
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=a@b.c", ...args], { cwd: root.base, stdio: "pipe" });

function committed(...init: string[]): void {
  git("init", "--quiet", ...init);
  put("a.txt", "one\ntwo\n");
  put("src/b.txt", "bee\n");
  put("gone.txt", "gone\n");
  put(".gitignore", "*.log\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
}

async function textOf(of = root): Promise<string> {
  const diff = await treeDiff(of);
  if ("problem" in diff) throw new Error(diff.message);
  return diff.text;
}

describe("treeDiff", () => {
  it("sees a change of the same length in the second in which the file was staged, also when it looks later", async () => {
    committed();
    // The file and the index have the time of the staging, and the file is written once more before it is over.
    const time = new Date(Date.now() - 60_000);
    for (const name of ["a.txt", ".git/index"]) utimesSync(at(name), time, time);
    git("update-index", "--refresh");
    utimesSync(at(".git/index"), time, time);
    put("a.txt", "one\nsix\n");
    utimesSync(at("a.txt"), time, time);
    expect(await textOf()).toContain("+six");
  });

  it.each([[[]], [["--object-format=sha256"]]])(
    "has what was changed, staged, deleted and made since the last commit, and nothing that git ignores (%o)",
    async (init) => {
      committed(...init);
      put("a.txt", "one\n2\n");
      put("src/b.txt", "bees\n");
      git("add", "src/b.txt");
      rmSync(at("gone.txt"));
      put("new file.txt", "new\n");
      put("x.log", "noise\n");
      const index = readFileSync(at(".git/index"));
      const text = await textOf();
      const names = text.split("\n").filter((line) => line.startsWith("diff "));
      expect(names).toEqual([
        "diff --git a/a.txt b/a.txt",
        "diff --git a/gone.txt b/gone.txt",
        "diff --git a/new file.txt b/new file.txt",
        "diff --git a/src/b.txt b/src/b.txt",
      ]);
      expect(text).toContain("-two\n+2\n");
      expect(text).toContain("+new\n");
      expect(text).toContain("deleted file mode 100644");
      expect(readFileSync(at(".git/index")).equals(index)).toBe(true);
      expect(git("status", "--porcelain").toString()).toContain("?? ");
    },
  );

  it("shows a folder of a repository alone, with paths from there", async () => {
    committed();
    put("a.txt", "changed\n");
    put("src/b.txt", "changed\n");
    const text = await textOf({ base: at("src"), given: at("src") });
    expect(text).toContain("diff --git a/b.txt b/b.txt");
    expect(text).not.toContain("a.txt");
  });

  it("shows all files before the first commit, and nothing where nothing was changed", async () => {
    git("init", "--quiet");
    put("a.txt", "one\n");
    expect(await textOf()).toContain("+one");
    git("add", "-A");
    git("commit", "--quiet", "-m", "first");
    expect(await textOf()).toBe("");
  });

  it("works in a worktree, and with an index in two parts", async () => {
    committed();
    git("worktree", "add", "--quiet", "../other");
    const other = join(folder, "other");
    writeFileSync(join(other, "a.txt"), "elsewhere\n");
    expect(await textOf({ base: other, given: other })).toContain("+elsewhere");
    git("update-index", "--split-index");
    put("a.txt", "here\n");
    expect(await textOf()).toContain("+here");
  });

  it("says that the folder is in no repository, and ends at the bytes that it may have", async () => {
    expect(await treeDiff(root)).toMatchObject({ problem: "no_repository" });
    committed();
    put("a.txt", "x\n".repeat(10_000));
    const diff = await treeDiff(root, { most: 2000 });
    expect(diff).toMatchObject({ isCut: true });
    expect("text" in diff && diff.text.length).toBeLessThanOrEqual(2000);
  });

  it("ends with the reason of its signal", async () => {
    committed();
    await expect(treeDiff(root, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

describe("a repository that wants to run programs", () => {
  const trap = (name: string) => `sh -c 'touch "${join(folder, `ran-${name}`)}"; cat'`;

  it.each([
    ["a monitor", (name: string) => ["core.fsmonitor", trap(name)]],
    ["a program for diffs", (name: string) => ["diff.external", trap(name)]],
    ["a driver that makes text", (name: string) => ["diff.own.textconv", trap(name)]],
    ["a driver with a command", (name: string) => ["diff.own.command", trap(name)]],
    ["a filter", (name: string) => ["filter.own.clean", trap(name)]],
    ["a filter that stays", (name: string) => ["filter.own.process", trap(name)]],
    ["a pager", (name: string) => ["core.pager", trap(name)]],
    ["an alias of the command", (name: string) => ["alias.diff", `!${trap(name)}`]],
    ["a pager of the command", (name: string) => ["pager.diff", trap(name)]],
  ])("runs none by %s, also in a submodule and a repository below", async (name, settingOf) => {
    committed();
    const [key = "", value = ""] = settingOf("it");
    for (const below of ["", "below"]) {
      const place = at(below);
      mkdirSync(place, { recursive: true });
      if (below !== "") execFileSync("git", ["init", "--quiet"], { cwd: place });
      execFileSync("git", ["config", key, value], { cwd: place });
      writeFileSync(join(place, ".gitattributes"), "* diff=own filter=own\n");
      writeFileSync(join(place, "a.txt"), `changed because of ${name}\n`);
    }
    git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},below`);
    // The git of this test has run what is set.
    rmSync(join(folder, "ran-it"), { force: true });
    const text = await textOf();
    expect(text).toContain(`+changed because of ${name}`);
    expect(existsSync(join(folder, "ran-it"))).toBe(false);
  });

  it("runs no hook", async () => {
    committed();
    for (const name of ["post-index-change", "fsmonitor-watchman", "pre-commit"])
      writeFileSync(at(`.git/hooks/${name}`), `#!/bin/sh\ntouch "${join(folder, "ran-hook")}"\n`, { mode: 0o755 });
    put("a.txt", "changed\n");
    expect(await textOf()).toContain("+changed");
    expect(existsSync(join(folder, "ran-hook"))).toBe(false);
  });

  it("runs a trap where git is asked as usual, so that these tests can fail", () => {
    committed();
    git("config", "core.fsmonitor", trap("usual"));
    put("a.txt", "changed\n");
    git("diff");
    expect(existsSync(join(folder, "ran-usual"))).toBe(true);
  });

  it("takes no git from the folder of the project", async () => {
    committed();
    mkdirSync(at("bin"));
    writeFileSync(at("bin/git"), `#!/bin/sh\ntouch "${join(folder, "ran-git")}"\n`, { mode: 0o755 });
    const { PATH = "" } = process.env;
    process.env.PATH = `${at("bin")}:${PATH}`;
    onTestFinished(() => {
      process.env.PATH = PATH;
    });
    put("a.txt", "changed\n");
    expect(await textOf()).toContain("+changed");
    expect(existsSync(join(folder, "ran-git"))).toBe(false);
  });
});
