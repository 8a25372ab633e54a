import { execFileSync, spawn } from "node:child_process";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { call } from "../../../test/call.ts";
import { describeSandbox } from "../../../test/sandbox/describe-sandbox.ts";
import { freshFolder, inSandbox, projectAt } from "../../../test/sandbox/in-sandbox.ts";
import { workingIn } from "../../../test/shell/processes.ts";
import { openRoot } from "../../files/confine/root.ts";
import type { ShellResult } from "../../shell/shell-result.ts";
import { shellTool } from "../../shell/shell-tool.ts";

describeSandbox("what programs outside obey", () => {
  const folder = freshFolder();
  const at = (path: string) => join(folder.path, path);
  const put = async (path: string, text = "") => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder.path, env: { PATH: process.env.PATH, HOME: "/nonexistent" } });
  const deep = "a/b/c/d/e/f";

  it.each<[what: string, script: string, path: string]>([
    ["configuration in the root", "mkdir .cogency; echo x > .cogency/config.json", ".cogency"],
    ["configuration of a folder below", "mkdir -p x/y/.cogency; echo x > x/y/.cogency/rules.json", "x/y/.cogency"],
    ["configuration many folders below", `mkdir -p ${deep}/.cogency`, `${deep}/.cogency`],
    ["a file in place of configuration", "echo x > .cogency", ".cogency"],
    ["a link in place of configuration", "mkdir evil; ln -s evil .cogency", ".cogency"],
    [
      "configuration that was renamed",
      "mkdir -p x/evil; echo x > x/evil/config.json; mv x/evil x/.cogency",
      "x/.cogency",
    ],
    [
      "configuration in a folder that was renamed",
      "mkdir -p node_modules/e/.cogency; mv node_modules/e e",
      "e/.cogency",
    ],
    ["instructions in the root", "echo obey > AGENTS.md", "AGENTS.md"],
    ["instructions in a folder below", `mkdir -p ${deep}; echo obey > ${deep}/AGENTS.md`, `${deep}/AGENTS.md`],
    ["instructions that were renamed", "echo obey > n.md; mv n.md AGENTS.md", "AGENTS.md"],
    ["instructions by a hard link", "echo obey > n.md; ln n.md AGENTS.md", "AGENTS.md"],
    ["instructions by a link to a file elsewhere", "ln -s /etc/passwd AGENTS.md", "AGENTS.md"],
    ["instructions by a link that dangles", "ln -s nothing AGENTS.md", "AGENTS.md"],
    ["a pipe as instructions", "mkfifo AGENTS.md", "AGENTS.md"],
    ["instructions in a folder that is closed", "mkdir x; echo obey > x/AGENTS.md; chmod 000 x", "x/AGENTS.md"],
    ["instructions in a folder that cannot be written", "mkdir x; echo obey > x/AGENTS.md; chmod 555 x", "x/AGENTS.md"],
    ["a folder that only looks like a repository", "mkdir -p x/y/.git", "x/y/.git"],
    ["a file that names no repository", "mkdir y; echo gitdir: /nowhere > y/.git", "y/.git"],
    ["a link to a repository", "git init -q evil; mkdir y; ln -s ../evil/.git y/.git", "y/.git"],
    ["a repository with a program", "git init -q y; git -C y config core.fsmonitor ./evil", "y/.git"],
    ["a repository with an alias", "git init -q y; git -C y config alias.st '!evil'", "y/.git"],
    ["a repository with included settings", "git init -q y; git -C y config include.path ../evil", "y/.git"],
    ["a repository with a helper as its address", "git init -q y; git -C y config remote.o.url ext::evil", "y/.git"],
    ["a repository with a hook", "git init -q y; mkdir -p y/.git/hooks; echo x > y/.git/hooks/post-checkout", "y/.git"],
    [
      "a file that names a repository with a program",
      "git init -q --bare e; git --git-dir e config core.fsmonitor ./x; mkdir y; echo gitdir: ../e > y/.git",
      "y/.git",
    ],
    [
      "a bare repository with a program",
      "git init -q --bare y; git --git-dir y config core.fsmonitor ./evil",
      "y/HEAD",
    ],
  ])("is set aside when a command makes %s", async (_, script, path) => {
    const tool = shellTool(await projectAt(folder.path), { sandbox: "required" });
    const command = `bash -c '${script.replaceAll("'", "'\\''")}'`;
    const result = (await call(tool, { command })) as ShellResult;
    expect(result.setAside).toContain(path);
    expect(existsSync(at(path)) || isLink(at(path))).toBe(false);
    expect(await readdir(dirname(at(path)))).toContain(`${path.split("/").at(-1)}.set-aside`);
  });

  it("is named in the error of a command that fails", async () => {
    const tool = shellTool(await projectAt(folder.path), { sandbox: "required" });
    await expect(call(tool, { command: "bash -c 'echo x > AGENTS.md; exit 3'" })).rejects.toThrow(
      /^exit code 3\nset aside: AGENTS\.md\n.*renamed to \*\.set-aside/s,
    );
  });

  it("is read-only where it stands, in every folder", async () => {
    const places = [".cogency/config.json", "AGENTS.md", `${deep}/AGENTS.md`, `${deep}/.cogency/rules.json`];
    for (const place of places) await put(place, "the person's");
    const script = places
      .flatMap((place) => [
        `echo evil > ${place}`,
        `rm -rf ${place}`,
        `mv ${place} moved`,
        `ln -sf /etc/passwd ${place}`,
        `cp /etc/passwd n; mv -f n ${place}`,
        `ln ${place} hard`,
      ])
      .concat("mv a moved", "mv .cogency moved", "rm -rf a .cogency", "echo x > .cogency/new.json", "ls .cogency");
    const printed = await inSandbox(await projectAt(folder.path), script.join("\n"));
    for (const place of places) expect(await readFile(at(place), "utf8"), place).toBe("the person's");
    expect(printed.trimEnd().split("\n").at(-1)).toBe("config.json");
  });

  it("gets its link back, whose target is read-only, if a command replaces it", async () => {
    await put("docs/rules.md", "the person's");
    await symlink("docs/rules.md", at("AGENTS.md"));
    await inSandbox(
      await projectAt(folder.path),
      "echo evil > AGENTS.md; echo evil > docs/rules.md; echo evil > e.md; ln -sf e.md AGENTS.md",
    );
    expect(readlinkSync(at("AGENTS.md"))).toBe("docs/rules.md");
    expect(await readFile(at("AGENTS.md"), "utf8")).toBe("the person's");
    expect(readlinkSync(at("AGENTS.md.set-aside"))).toBe("e.md");
  });

  it("has the names that the host gives", async () => {
    await put("CLAUDE.md", "the person's");
    const root = await openRoot(folder.path, { access: "project", config: ["app"], instructions: ["CLAUDE.md"] });
    await inSandbox(root, "echo x > CLAUDE.md; mkdir -p x/app .cogency; echo x > AGENTS.md; echo x > x/CLAUDE.md");
    expect((await readdir(folder.path)).sort()).toEqual([".cogency", "AGENTS.md", "CLAUDE.md", "x"]);
    expect((await readdir(at("x"))).sort()).toEqual(["CLAUDE.md.set-aside", "app.set-aside"]);
    expect(await readFile(at("CLAUDE.md"), "utf8")).toBe("the person's");
  });

  it.each<[what: string, script: string, path: string]>([
    ["is made", "git init -q y && cd y && echo x > a && git add a && git commit -qm a", "y"],
    [
      "is cloned",
      "git init -q o && cd o && echo x > a && git add a && git commit -qm a && cd .. && git clone -q o y",
      "y",
    ],
    ["is made bare", "git init -q --bare y", "y"],
    ["gets a worktree", "git commit -q --allow-empty -m a && git worktree add -q y", "y"],
    [
      "gets a submodule",
      "git init -q o && git -C o commit -q --allow-empty -m a && git -c protocol.file.allow=always submodule --quiet add ./o y",
      "y",
    ],
  ])("does not include a repository without programs, which %s as always", async (_, script, path) => {
    git("init", "-q");
    const identity = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b";
    const tool = shellTool(await projectAt(folder.path), { sandbox: "required" });
    const command = `bash -c '${identity}; ${script}'`;
    const result = (await call(tool, { command })) as ShellResult;
    expect(result.setAside).toBeUndefined();
    expect(git("-C", path, "rev-parse", "--git-dir").length).toBeGreaterThan(0);
  });

  it("is what a person makes before the command, or changes while it runs", async () => {
    await put("x/AGENTS.md", "old");
    const tool = shellTool(await projectAt(folder.path), { sandbox: "required" });
    const command = "bash -c 'touch on; while [ ! -e off ]; do sleep 0.01; done'";
    const running = call(tool, { command });
    await expect.poll(() => existsSync(at("on"))).toBe(true);
    // As an editor saves: another file takes the name.
    execFileSync("bash", ["-c", "echo new > t; mv t x/AGENTS.md; touch off"], { cwd: folder.path });
    expect(((await running) as ShellResult).setAside).toBeUndefined();
    expect(await readFile(at("x/AGENTS.md"), "utf8")).toBe("new\n");
  });

  it("does not include what one command makes and another makes again", async () => {
    const tool = shellTool(await projectAt(folder.path), { sandbox: "required" });
    const wait = (file: string) => `while [ ! -e ${file} ]; do sleep 0.01; done`;
    const first = call(tool, { command: `bash -c 'echo 1 > AGENTS.md; touch one; ${wait("end-one")}'` });
    await expect.poll(() => existsSync(at("one"))).toBe(true);
    const second = call(tool, {
      command: `bash -c 'touch two; ${wait("end-two")}; rm -f AGENTS.md; echo 2 > AGENTS.md'`,
    });
    await expect.poll(() => existsSync(at("two"))).toBe(true);
    await writeFile(at("end-one"), "");
    expect(((await first) as ShellResult).setAside).toEqual(["AGENTS.md"]);
    await writeFile(at("end-two"), "");
    expect(((await second) as ShellResult).setAside).toEqual(["AGENTS.md"]);
    expect(existsSync(at("AGENTS.md"))).toBe(false);
  });

  it("does not include what a command has made whose agent was killed: the next command sets it aside", async () => {
    const program = fileURLToPath(new URL("../../../test/sandbox/run-command.mjs", import.meta.url));
    const command = "bash -c 'mkdir -p x/y/.cogency; echo x > AGENTS.md; touch on; sleep 60'";
    const agent = spawn(process.execPath, [program, folder.path, "[]", command], { stdio: "ignore" });
    onTestFinished(() => void agent.kill("SIGKILL"));
    await expect.poll(() => existsSync(at("on")), { timeout: 30_000 }).toBe(true);
    agent.kill("SIGKILL");
    await expect.poll(() => workingIn(folder.path), { timeout: 30_000 }).toEqual([]);
    expect(existsSync(at("AGENTS.md"))).toBe(true);
    await inSandbox(await projectAt(folder.path), "true");
    expect(await readdir(at("x/y"))).toEqual([".cogency.set-aside"]);
    expect(existsSync(at("AGENTS.md"))).toBe(false);
  });
});

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
