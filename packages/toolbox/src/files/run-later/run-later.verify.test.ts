import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { nobodyAnswers } from "../../../test/call.ts";
import { grounds } from "../../../test/grounds.ts";
import { openRoot } from "../confine/root.ts";
import { editTool } from "../edit-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";
import { runsLater } from "./run-later.ts";

const changesThatRunLater =
  `.husky/pre-commit .husky/_/h .Husky/pre-commit .envrc sub/.envrc .npmrc .yarnrc .yarnrc.yml .yarn/plugins/a.cjs
  .pnpmfile.cjs pkg/.pnpmfile.mjs .vscode/tasks.json a/b/.vscode/settings.json .vscode/launch.json .idea/workspace.xml .mcp.json
  .claude/settings.json .claude/hooks/a.sh .cursor/mcp.json .cursor/rules/a.mdc CLAUDE.md sub/claude.md AGENTS.md GEMINI.md
  .github/workflows/ci.yml .GitHub/Workflows/ci.yml pkg/.github/workflows/ci.yml .github/actions/a/action.yml .gitlab-ci.yml Jenkinsfile
  .circleci/config.yml azure-pipelines.yml .travis.yml .buildkite/pipeline.yml .gitattributes sub/.gitattributes .gitconfig .gitmodules
  .pre-commit-config.yaml lefthook.yml .lefthook/pre-push/a .githooks/pre-commit conftest.py tests/conftest.py sitecustomize.py
  lib/evil.pth .bashrc .zshenv .profile .config/fish/config.fish .ssh/authorized_keys .ssh/config .ssh/rc .config/systemd/user/a.service
  .config/autostart/a.desktop home/.config/autostart/a.desktop Library/LaunchAgents/a.plist package.json pkg/package.json
  .devcontainer/devcontainer.json node_modules/a/index.js .venv/lib/a.py .cargo/config.toml build.rs .mvn/extensions.xml eslint.config.js
  .prettierrc.cjs .config/git/config .aws/config .kube/config .local/bin/ls .config/environment.d/a.conf crontab .direnv/a
  .tmux.conf package-lock.json sub/yarn.lock npm-shrinkwrap.json composer.json mise.local.toml .mise.local.toml binding.gyp
  project/plugins.sbt .config/mise.toml Cargo.lock .gdbinit .emacs.d/init.el bunfig.toml a.code-workspace .cursorrules`.split(
    /\s+/,
  );
const harmlessChanges =
  `src/main.ts README.md docs/husky/a.md envrc npmrc vscode/tasks.json .vscodex/a claude/settings.json agents.mdx
  .github/ISSUE_TEMPLATE.md .github/CODEOWNERS workflows/ci.yml gitattributes test_conftest.py conftest.pyi a.pt ssh/config
  lock.json package.jsonc tsconfig.json config/fish.md Makefile pyproject.toml Cargo.toml .gitignore .editorconfig .env
  .npmrcx bashrc src/profile.ts systemd.md autostart.desktop home/etc/passwd bin/tool.js usr/bin/a lib/a.js cron.ts`.split(
    /\s+/,
  );

describe("changes of files that run later", () => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const open = () => openRoot(ground.root, { access: "project" });
  const put = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const asks = async (tool: Tool, args: JsonObject) => (await tool.cautions?.(args)) ?? [];

  it("ask, with a reason that names the file", async () => {
    const write = writeTool(await open());
    const asked = await Promise.all(
      changesThatRunLater.map((file) => asks(write, { file, content: '{"scripts":{"test":"x"}}' })),
    );
    expect(asked).toEqual(changesThatRunLater.map((file) => [expect.stringContaining(`"${file}": `)]));
  });

  it("do not ask if the file is an ordinary one", async () => {
    const root = await open();
    const asked = await Promise.all(harmlessChanges.map((file) => asks(writeTool(root), { file, content: "x" })));
    expect(asked.flat()).toEqual([]);
  });

  it.each([
    "/etc/cron.d/a",
    "/etc/profile",
    "/usr/bin/a",
    "/var/spool/cron/me",
    "/home/me/.ssh/rc",
    "/etc/ld.so.preload",
  ])("ask for %s, with system access", async (file) => {
    const root = await openRoot(ground.root, { access: "system" });
    expect(await runsLater(root, file)).toContain(file);
  });

  it("are judged by the target of a link, and by the path inside the project wherever it stands", async () => {
    const root = await open();
    await mkdir(at(".husky"));
    await symlink(".husky", at("docs"));
    expect(await asks(writeTool(root), { file: "docs/pre-commit", content: "x" })).toHaveLength(1);
    await mkdir(at(".claude/worktrees/one"), { recursive: true });
    const inner = await openRoot(at(".claude/worktrees/one"), { access: "project" });
    expect(await asks(writeTool(inner), { file: "src/a.ts", content: "x" })).toEqual([]);
    expect(await asks(writeTool(inner), { file: ".claude/a.md", content: "x" })).toHaveLength(1);
    await mkdir(at(".ssh"));
    const home = await openRoot(at(".ssh"), { access: "project" });
    expect(await asks(writeTool(home), { file: "config", content: "x" })).toHaveLength(1);
  });

  it("ask for hooks and settings that a repository has elsewhere", async () => {
    await put(".git/config", '[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = "../tools/git settings"\n');
    const write = writeTool(await open());
    expect(await asks(write, { file: "tools/hooks/pre-commit", content: "x" })).toHaveLength(1);
    expect(await asks(write, { file: "tools/git settings", content: "x" })).toHaveLength(1);
    expect(await asks(write, { file: "tools/a", content: "x" })).toEqual([]);
  });

  it.each([
    ["a comment after it", "[core]\n\thooksPath = tools/hooks # shared\n"],
    ["another comment", "[core]\n\thooksPath = tools/hooks ; shared\n"],
    ["its section in the same line", "[core] hooksPath = tools/hooks\n"],
    ["quotes within", '[core]\n\thooksPath = tools/"hooks"\n'],
    ["a continued line", "[Core]\n\tHOOKSPATH = tools/\\\nhooks\n"],
    ["an included file", "[include]\n\tpath = more\n"],
    ["an included file on a condition", '[includeIf "onbranch:x"]\n\tpath = "more"\n'],
    ["the folder that husky makes", "[core]\n\thooksPath = tools/hooks/_\n"],
    ["carriage returns", "[core]\r\n\thooksPath = tools/hooks\r\n"],
    ["a line that git would refuse before it", "[core]\n\t= x\n\thooksPath = tools/hooks\n"],
    ["a pipe where settings are", "[include]\n\tpath = ../pipe\n"],
  ])("ask for hooks whose folder is set with %s", async (_, config) => {
    await put(".git/config", `[core]\n\tbare = false\n${config}`);
    await put(".git/more", "[core]\n\thooksPath = tools/hooks\n");
    const args = { file: "tools/hooks/pre-commit", content: "x" };
    expect(await asks(writeTool(await open()), args)).toHaveLength(1);
  });

  it("ask for each file that a setting of git names, also one of the user or of a repository above", async () => {
    await put(".git/config", '[filter "x"]\n\tclean = "sh ./tools/clean.sh %f"\n[core]\n\tfsmonitor = sub/fsmon\n');
    await put(".git/config.worktree", "[core]\n\tpager = tools/pager | less\n");
    await put("sub/.git/HEAD", "ref: refs/heads/main\n");
    await put("home/.gitconfig", "[core]\n\thooksPath = .shared\n");
    const home = process.env.HOME;
    onTestFinished(() => {
      process.env.HOME = home;
    });
    process.env.HOME = at("home");
    const write = writeTool(await open());
    const files = ["tools/clean.sh", "sub/fsmon", "tools/pager", ".shared/pre-push", "sub/.shared/pre-push"];
    const asked = await Promise.all(files.map((file) => asks(write, { file, content: "x" })));
    expect(asked.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
    for (const file of ["tools/other.sh", "less", "sub/a"])
      expect(await asks(write, { file, content: "x" }), file).toEqual(
        file === "less" ? [expect.stringContaining("core.pager")] : [],
      );
  });

  describe("of a package.json", () => {
    const packageJson = '{"name":"a","version":"1.0.0","scripts":{"test":"vitest"},"description":"FAQ"}';
    const edits = (...pairs: [old: string, new_: string][]) => ({
      file: "package.json",
      edits: pairs.map(([old, next]) => ({ old, new: next, all: true })),
    });

    const keys = [
      { dependencies: { evil: "https://evil.example/x.tgz" } },
      { devDependencies: { evil: "git+https://evil.example/x.git" } },
      { dependencies: { evil: "npm:worse@1" } },
      { dependencies: { evil: "1.0.0" } },
      { dependencies: ["evil"] },
      { bundleDependencies: ["evil"] },
      { workspaces: ["evil/*"] },
      { overrides: { left: "npm:evil@1" } },
      { resolutions: { a: "evil" } },
      { jest: { globalSetup: "./x.js" } },
      { nodemonConfig: { exec: "sh x" } },
      { mocha: { require: "./x.js" } },
      { ava: { require: ["./x.js"] } },
      { babel: { plugins: ["./x.js"] } },
      { anything: "else" },
    ];

    it.each<[what: string, content: string, count: number]>([
      ["the same scripts", packageJson.replace("1.0.0", "2.0.0"), 0],
      ["other scripts", packageJson.replace("vitest", "evil"), 1],
      ["one more script", packageJson.replace('"test"', '"postinstall":"evil","test"'), 1],
      ["scripts given twice", packageJson.replace('"name"', '"scripts":{"a":"evil"},"name"'), 0],
      [
        "scripts given twice, the last one counts",
        packageJson.replace("}}", "}}").replace('FAQ"', 'FAQ","scripts":{"a":"b"}'),
        1,
      ],
      ["a spelling with an escape", packageJson.replace('"name"', '"scr\\u0069pts":{},"name"'), 0],
      ["a hook", packageJson.replace('"name":"a"', '"husky":{"hooks":{"pre-commit":"evil"}}'), 1],
      ["another package manager", packageJson.replace('"name":"a"', '"packageManager":"evil@1"'), 1],
      ...keys.map((rest): [string, string, number] => [
        JSON.stringify(rest),
        JSON.stringify({ ...JSON.parse(packageJson), ...rest }),
        1,
      ]),
      ["other words about itself", packageJson.replace('"name":"a"', '"name":"b","license":"MIT","main":"b.js"'), 0],
      ["what is no JSON", "{", 1],
      ["a list", "[]", 1],
    ])("ask only if needed: written with %s", async (_, content, count) => {
      await put("package.json", packageJson);
      expect(await asks(writeTool(await open()), { file: "package.json", content, overwrite: true })).toHaveLength(
        count,
      );
    });

    it.each<[spec: string, count: number]>([
      ["^1.2.4", 0],
      [">=1 <3.x || 4.0.0-beta.1", 0],
      ["1.2.3 - 2", 0],
      ["latest", 0],
      ["", 0],
      ["npm:worse@1", 1],
      ["https://evil.example/x.tgz", 1],
      ["evil/worse", 1],
      ["evil.tgz", 1],
      ["1.0.0-a.tgz", 1],
      ["./evil", 1],
      [".", 1],
      ["file:evil", 1],
    ])("ask only if needed: a known package gets the version %j", async (spec, count) => {
      const named = (own: object) => JSON.stringify({ name: "a", ...own });
      await put("package.json", named({ dependencies: { known: "^1.0.0", gone: "1" } }));
      const write = writeTool(await open());
      const content = named({ devDependencies: { known: spec } });
      expect(await asks(write, { file: "package.json", content, overwrite: true })).toHaveLength(count);
    });

    it("ask for a new one only if it has scripts", async () => {
      const write = writeTool(await open());
      expect(await asks(write, { file: "new/package.json", content: '{"name":"a"}' })).toEqual([]);
      expect(await asks(write, { file: "new/package.json", content: packageJson })).toHaveLength(1);
    });

    it.each<[what: string, args: ReturnType<typeof edits>, count: number]>([
      ["its version", edits(["1.0.0", "2.0.0"]), 0],
      ["a script", edits(["vitest", "evil"]), 1],
      ["what is not there yet", edits(["nothing like it", "evil"]), 1],
      ["scripts and back", edits(["vitest", "evil"], ["evil", "vitest"]), 0],
    ])("ask only if needed: edited in %s", async (_, args, count) => {
      await put("package.json", packageJson);
      expect(await asks(editTool(await open()), args)).toHaveLength(count);
    });

    it("fail in an edit that needed no approval but would change scripts after an earlier edit", async () => {
      const inner = '"keywords":{"postinstall":"evil"}';
      await put("package.json", `{"name":"a","description":{${inner}}}`);
      const edit = editTool(await open());
      const [first, second] = [edits([`"description":{${inner}}`, inner]), edits(['"keywords"', '"scripts"'])];
      expect([...(await asks(edit, first)), ...(await asks(edit, second))]).toEqual([]);
      // One object for all steps of a call, as an executor passes it.
      const run = (args: JsonObject) => edit.execute(args, contextOf(edit, args));
      await run(first);
      await expect(run(second)).rejects.toMatchObject({ code: "path_changed" });
    });
  });

  describe("by a replace", () => {
    it("ask for the files that it would change, and no others", async () => {
      await put(".husky/pre-commit", "needle");
      await put(".envrc", "other");
      await put("src/a.ts", "needle");
      await put("package.json", '{"description":"needle","scripts":{"a":"b"}}');
      const replace = replaceTool(await open());
      const args = { find: "needle", with: "x", path: ".", dryRun: false };
      expect(await asks(replace, args)).toEqual([expect.stringContaining('".husky/pre-commit": ')]);
      expect(await asks(replace, { ...args, pattern: "*.ts" })).toEqual([]);
      expect(await asks(replace, { ...args, find: '"b"' })).toEqual([expect.stringContaining('"package.json": ')]);
      expect(await asks(replace, { ...args, dryRun: true })).toEqual([]);
      expect(await asks(replace, { ...args, find: "nowhere" })).toEqual([]);
    });

    it("fail if it would now change a file that the question did not name", async () => {
      await put("src/a.ts", "needle");
      const replace = replaceTool(await open());
      const args = { find: "needle", with: "x", path: ".", dryRun: false };
      expect(await asks(replace, args)).toEqual([]);
      await put(".husky/pre-commit", "needle");
      await expect(replace.execute(args, contextOf(replace, args))).rejects.toMatchObject({ code: "path_changed" });
      const again = { ...args };
      expect(await asks(replace, again)).toHaveLength(1);
      expect(await replace.execute(again, contextOf(replace, again))).toMatchObject({ total: 2 });
    });
  });
});

function contextOf(tool: Tool, args: JsonObject): Parameters<Tool["execute"]>[1] {
  return {
    call: { name: tool.name, args, id: "call_1" },
    signal: new AbortController().signal,
    state: {
      events: [],
      metadata: {},
      step: 1,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    },
    conversation: "test",
    user: undefined,
    progress: () => {},
    ask: nobodyAnswers,
  };
}
