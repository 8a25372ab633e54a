import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Tool } from "@cogency/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { call } from "../../../test/call.ts";
import { grounds } from "../../../test/grounds.ts";
import type { ShellResult } from "../../shell.ts";
import { toolbox } from "../../toolbox.ts";
import { openRoot } from "../confine/root.ts";
import { settling } from "../tree/seen-tree.ts";
import { watchRunsLater } from "./later-watch.ts";

describe("what a command changed that runs later", () => {
  const ground = grounds();
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(ground.root, path)), { recursive: true });
    await writeFile(join(ground.root, path), text);
  };

  /** What is named after changes. */
  async function named(change: () => Promise<unknown>): Promise<string[]> {
    const watch = await watchRunsLater(await openRoot(ground.root, { access: "project" }));
    await change();
    return watch.ended();
  }

  const manifest = (fields: object) => JSON.stringify({ name: "a", scripts: { build: "tsc" }, ...fields });

  it.each<[what: string, change: Record<string, string>, named: string[]]>([
    ["other files", { "src/main.ts": "", "notes.md": "", ".github/ISSUE_TEMPLATE/bug.md": "" }, []],
    ["a file that runs when somebody enters the folder", { ".envrc": "export A=1" }, [".envrc"]],
    [
      "CI files and hooks",
      { ".github/workflows/ci.yml": "on: push", ".husky/pre-commit": "x" },
      [".github/workflows/ci.yml", ".husky/pre-commit"],
    ],
    [
      "scripts",
      { "package.json": manifest({ scripts: { build: "tsc", test: "t", postinstall: "x" } }) },
      ["package.json: scripts test, postinstall"],
    ],
    ["a dependency", { "package.json": manifest({ dependencies: { evil: "1" } }) }, ["package.json: dependencies"]],
    ["only the version of the package", { "package.json": manifest({ version: "2.0.0" }) }, []],
    ["a manifest that cannot be read", { "package.json": "{" }, ["package.json"]],
    [
      "a new manifest in a folder",
      { "packages/b/package.json": manifest({}) },
      ["packages/b/package.json: scripts build"],
    ],
    ["files in a folder of settings that git ignores", { ".vscode/tasks.json": "{}" }, [".vscode/tasks.json"]],
    ["files that git ignores", { "dist/a.js": "", ".env": "", "debug.log": "" }, []],
    ["instructions of the model", { "AGENTS.md": "obey" }, ["AGENTS.md"]],
    ["a hook of git", { ".git/hooks/pre-commit": "#!/bin/sh" }, [".git/hooks/pre-commit"]],
    [
      "a setting of git that names a program",
      { ".git/config": "[core]\n\tfsmonitor = evil\n" },
      [".git/config: core.fsmonitor"],
    ],
    ["a branch that git follows", { ".git/config": '[branch "a"]\n\tremote = origin\n\tmerge = refs/heads/a\n' }, []],
    ["a hook where a setting says that hooks are", { "scripts/hooks/pre-push": "x" }, ["scripts/hooks/pre-push"]],
  ])("names %s or not", async (_, change, expected) => {
    execFileSync("git", ["init", "-q", "."], { cwd: ground.root });
    await put(".gitignore", ".vscode\n.env*\ndist/\n*.log\n");
    await put("package.json", manifest({}));
    await put(".git/config", "[core]\n\thooksPath = scripts/hooks\n");
    const hooks = "[core]\n\thooksPath = scripts/hooks\n";
    const found = await named(async () => {
      for (const [path, text] of Object.entries(change)) await put(path, path === ".git/config" ? hooks + text : text);
    });
    expect(found).toEqual(expected);
  });

  it("does not name what holds the same afterwards, what was only read or touched, and what is gone", async () => {
    for (const path of [".envrc", "Makefile.local", ".npmrc", ".travis.yml"]) await put(path, "same");
    const found = await named(async () => {
      await put(".envrc", "same");
      await utimes(join(ground.root, ".npmrc"), 1, 1);
      await rm(join(ground.root, ".travis.yml"));
    });
    expect(found).toEqual([]);
  });

  it("names a file that changed twice in a moment, with the same size", async () => {
    await put(".envrc", "one");
    expect(await named(() => put(".envrc", "two"))).toEqual([".envrc"]);
  });

  it("names nothing that was there before and only became visible", async () => {
    await put(".gitignore", "ci\n");
    await put("ci/action.yml", "old");
    // What changed just before may have changed after the look, too.
    const { ctimeMs } = await stat(join(ground.root, "ci/action.yml"));
    while (Date.now() < ctimeMs + 2 * settling) await setTimeout(10);
    expect(await named(() => put(".gitignore", ""))).toEqual([]);
  });

  it("names what links lead to, by the path that programs read", async () => {
    await put("packages/a/manifest.json", manifest({}));
    await put("ci/build.yml", "on: push");
    await put("tools/hooks/pre-commit", "x");
    await mkdir(join(ground.root, ".github/workflows"), { recursive: true });
    await symlink("packages/a/manifest.json", join(ground.root, "package.json"));
    await symlink("../../ci/build.yml", join(ground.root, ".github/workflows/build.yml"));
    await symlink("tools/hooks", join(ground.root, ".husky"));
    expect(await named(() => put("packages/a/other.json", "{}"))).toEqual([]);
    const scripts = { build: "tsc", test: "t" };
    expect(await named(() => put("packages/a/manifest.json", manifest({ scripts })))).toEqual([
      "package.json: scripts test",
    ]);
    expect(await named(() => put("ci/build.yml", "on: [push]"))).toEqual([".github/workflows/build.yml"]);
    expect(await named(() => put("tools/hooks/pre-commit", "y"))).toEqual([".husky/pre-commit"]);
    expect(await named(() => put("tools/hooks/pre-push", "x"))).toEqual([".husky/pre-push"]);
  });

  it("names a program that runs in place of another one, where a folder of the PATH is in the root", async () => {
    const { PATH } = process.env;
    onTestFinished(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = `${join(ground.root, ".venv/bin")}:${PATH}`;
    await put(".gitignore", ".venv\n");
    await put(".venv/bin/ls", "old");
    const found = await named(async () => {
      for (const name of ["git", "of-the-project"]) await put(`.venv/bin/${name}`, "#!/bin/sh\n");
    });
    expect(found).toEqual([".venv/bin/git: runs in place of another program"]);
    expect(await named(() => put(".venv/bin/ls", "new"))).toEqual([".venv/bin/ls: runs in place of another program"]);
  });

  it("names a hook that may be executed now", async () => {
    await put(".githooks/pre-commit", "#!/bin/sh\n");
    await chmod(join(ground.root, ".githooks/pre-commit"), 0o644);
    expect(await named(() => chmod(join(ground.root, ".githooks/pre-commit"), 0o755))).toEqual([
      ".githooks/pre-commit",
    ]);
  });

  it("names what was moved there with its folder", async () => {
    await put("old/workflows/ci.yml", "old");
    const found = await named(async () => rename(join(ground.root, "old"), join(ground.root, ".github")));
    expect(found).toEqual([".github/workflows/ci.yml"]);
  });

  async function run(command: string): Promise<ShellResult> {
    const tools = await toolbox({
      root: ground.root,
      access: "project",
      include: ["shell"],
      shell: { sandbox: "off" },
    });
    return (await call(tools[0] as Tool, { command })) as ShellResult;
  }

  it("is in the result of shell, also without an undo", async () => {
    const result = await run("echo x > .envrc");
    expect(result).toMatchObject({ runsLater: [".envrc"], note: expect.stringContaining("tell the person") });
    expect(await run("true")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("is in the error of a command that failed", async () => {
    await expect(run("echo x > .envrc; echo out; exit 3")).rejects.toMatchObject({
      code: "command_failed",
      runsLater: [".envrc"],
      message: expect.stringMatching(/^exit code 3\nruns later: \.envrc\nPrograms .*\nstdout:\nout$/),
    });
  });

  it("names at most 20 files, and says how many there are", async () => {
    const result = await run("mkdir -p .husky; for i in $(seq 30); do echo x > .husky/hook$i; done");
    expect(result.runsLater).toHaveLength(20);
    expect(result.note).toContain("30 files in all");
  });
});
