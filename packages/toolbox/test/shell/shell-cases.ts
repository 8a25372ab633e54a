import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Json } from "@cogency/protocol";
import { toToolResult } from "@cogency/tools";
import type { Observer } from "@cogency/tools/host";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRoot, type Root } from "../../src/files/confine/root.ts";
import { writeTool } from "../../src/files/write-tool.ts";
import type { ShellError } from "../../src/shell/errors.ts";
import type { ShellOptions } from "../../src/shell/shell-options.ts";
import { shellTool as toolWith } from "../../src/shell/shell-tool.ts";
import { call } from "../call.ts";
import { type Ending, endingOf } from "./ending-of.ts";
import { invalidCommands } from "./hostile-commands.ts";
import { expectGone, expectNothingLeft, isRunning } from "./processes.ts";
import { runner } from "./run-tool.ts";

const openProject = (path: string) => openRoot(path, { access: "project" });

/**
 * What a command does. It behaves the same in a sandbox: a test that expects a difference checks `sandbox`.
 *
 * @param limits whether one command or each kind of command reaches its time limit, which takes most of a second each
 */
export function shellCases(sandbox: "off" | "required", limits: "one" | "each"): void {
  const shellTool = (root: Root, options: ShellOptions = {}) => toolWith(root, { sandbox, ...options });
  let folder = "";
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-shell-")));
    await writeFile(join(folder, "secret.txt"), "SECRET");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function shell(command: string, options?: ShellOptions) {
    const tool = shellTool(await openProject(folder), options);
    const [execution] = await runner([tool])([{ name: "shell", args: { command } }]);
    if (!execution) throw new Error("no execution");
    return execution;
  }
  function result(command: string, options?: ShellOptions): Promise<Ending> {
    return endingOf(shell(command, options).then(({ value, error }) => (error ? Promise.reject(error) : value)));
  }
  const script = (text: string) => `bash -c '${text.replaceAll("'", "'\\''")}'`;

  describe("runs one program", () => {
    it("in the root, and returns its output and exit code", async () => {
      expect(await result("pwd -P")).toEqual({ exitCode: 0, stdout: `${folder}\n`, stderr: "" });
      expect(await result(script("echo out; echo err >&2"))).toEqual({ exitCode: 0, stdout: "out\n", stderr: "err\n" });
    });

    it("with its words exactly as quoted", async () => {
      const { stdout } = await result("printf '%s|' 'a  b' \"it's\" '$HOME' '*' \\* ''");
      expect(stdout).toBe("a  b|it's|$HOME|*|*||");
    });

    it("and fails the call, but no other call of the batch, for an exit code other than 0", async () => {
      const run = runner([shellTool(await openProject(folder))]);
      const commands = ["grep nothing secret.txt", "ls missing", "echo fine"];
      const executions = await run(commands.map((command) => ({ name: "shell", args: { command } })));
      expect(executions.map(({ outcome }) => outcome)).toEqual(["failure", "failure", "success"]);
      expect(executions.map(({ error }) => (error as ShellError | undefined)?.exitCode)).toEqual([1, 2, undefined]);
      const [none, missing] = executions.map(toToolResult);
      expect(none).toEqual({ tool: "shell", status: "failure", content: "exit code 1; it printed nothing" });
      expect(missing?.content).toMatch(/^exit code 2\nstderr:\nls: .*missing.*[^\n]$/);
    });

    it("and reports both streams of a failure, stderr last", async () => {
      const { error } = await shell(script("echo a; echo b; echo c >&2; echo >&2; exit 3"));
      expect(error).toMatchObject({ code: "command_failed", exitCode: 3, stdout: "a\nb\n", stderr: "c\n\n" });
      expect(error?.message).toBe("exit code 3\nstdout:\na\nb\nstderr:\nc");
    });

    it("and names the signal that ended it", async () => {
      // In a sandbox bubblewrap reports the signal as shells do.
      const ended = sandbox === "off" ? { signal: "SIGSEGV" } : { exitCode: 139 };
      expect(await result(script("echo before; kill -SEGV $$"))).toMatchObject({ ...ended, stdout: "before\n" });
    });

    it("with nothing to read from", async () => {
      expect(await result("cat")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    });

    it("without a terminal that could ask for a password", async () => {
      expect(await result(script("echo x > /dev/tty"))).toMatchObject({ exitCode: 1 });
    });
  });

  describe("runs a script", () => {
    it.each([
      ["printf 'b\\na\\n' | sort && echo end", "a\nb\nend\n"],
      ["cat <<'EOF' > made.txt; cat made.txt\n$x `y`\nEOF", "$x `y`\n"],
      ['for i in 1 2; do echo "n$i"; done', "n1\nn2\n"],
      ["f() { echo \"<$1>\"; }; f a; f 'b c'", "<a>\n<b c>\n"],
      [`x=$(echo deep); echo \${x^^}`, "DEEP\n"],
      ["echo *.txt {a,b} $((1 + 2))", "secret.txt a b 3\n"],
      ["cat; read x || echo nothing", "nothing\n"],
      ["echo one\necho two # three", "one\ntwo\n"],
      ["[[ a == a ]] && echo yes", "yes\n"],
      ["false | true || echo failed", "failed\n"],
      ["cd .", ""],
      ["export A=b", ""],
      ["type cd", "cd is a shell builtin\n"],
    ])("%j as bash does", async (command, stdout) => {
      expect(await result(command)).toEqual({ exitCode: 0, stdout, stderr: "" });
    });

    it("whose exit code is that of the shell, and of any part of a pipe", async () => {
      expect(await result("echo before; exit 7")).toMatchObject({ exitCode: 7, stdout: "before\n" });
      expect(await result("cat missing 2>/dev/null | cat")).toMatchObject({ exitCode: 1 });
      expect(await result("no-such-program-here | cat")).toMatchObject({ exitCode: 127 });
      expect(await result("if true; fi")).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/syntax error/) });
    });

    it("in the folder that the call names", async () => {
      await mkdir(join(folder, "below"));
      const tool = shellTool(await openProject(folder));
      const ended = endingOf(call(tool, { command: "echo x > y && pwd -P | cat", cwd: "below" }));
      expect(await ended).toMatchObject({ stdout: `${folder}/below\n` });
      expect(await readdir(join(folder, "below"))).toEqual(["y"]);
    });

    it("without anything of the environment that changes how it is read", async () => {
      await writeFile(join(folder, "steer"), "echo steered; exit 3");
      const steering = {
        BASH_ENV: join(folder, "steer"),
        ENV: join(folder, "steer"),
        SHELLOPTS: "xtrace:noglob",
        BASHOPTS: "nullglob:extdebug",
        POSIXLY_CORRECT: "1",
        PS4: "$(echo steered >&2)",
        IFS: "t",
        CDPATH: "/",
        GLOBIGNORE: "*",
        "BASH_FUNC_ls%%": "() { echo steered; }",
      };
      const env = { ...steering, KEPT: "kept" };
      const command = "x=atb; echo $x *.txt none* $KEPT; ls secret* | cat; shopt -q nullglob || echo off";
      const stdout = "atb secret.txt none* kept\nsecret.txt\noff\n";
      expect(await result(command, { env })).toEqual({ exitCode: 0, stdout, stderr: "" });
    });

    it("by no shell that is in the root", async () => {
      for (const name of ["bash", "sh"]) {
        await writeFile(join(folder, name), "#!/bin/cat\nmine\n");
        await chmod(join(folder, name), 0o755);
      }
      const path = process.env.PATH;
      for (const env of [{}, { PATH: `.:${folder}:${path}` }]) {
        expect((await result("echo a | cat", { env })).stdout).toBe("a\n");
      }
    });

    it("and ends all of it at the time limit", async () => {
      const ended = await shell("echo $$; sleep 60 | sleep 60 & sleep 60; echo late", { timeout: 700, killAfter: 200 });
      expect(ended.error).toMatchObject({ code: "timeout", stdout: expect.stringMatching(/^\d+\n$/) });
      await expectNothingLeft(folder);
    });
  });

  describe("refuses", () => {
    it.each(invalidCommands)("%j, and runs no part of it", async (command, found) => {
      const { outcome, error, started } = await shell(command);
      expect({ outcome, started }).toEqual({ outcome: "failure", started: false });
      expect(error?.message).toMatch(found);
      expect(error?.message).not.toContain("SECRET");
      expect(await readdir(folder)).toEqual(["secret.txt"]);
    });

    it.each([
      ["no-such-program-here x", "program_not_found", /not found on the PATH/],
      ["./missing", "program_not_found", /no program "\.\/missing"/],
      ["./secret.txt", "program_not_executable", /interpreter/],
      ["/usr", "program_not_executable", /not a program/],
      ["secret.txt/x", "program_not_found", /no program/],
    ])("%s with the code %s", async (command, code, message) => {
      const { outcome, error } = await shell(command);
      expect(outcome).toBe("failure");
      expect(error).toMatchObject({ name: "ShellError", code, command });
      expect(error?.message).toMatch(message);
    });

    it("to run when the root is gone", async () => {
      const tool = shellTool(await openProject(folder));
      await rm(folder, { recursive: true });
      const [execution] = await runner([tool])([{ name: "shell", args: { command: "ls" } }]);
      expect(execution?.error).toMatchObject({ code: "start_failed" });
    });
  });

  describe("the environment", () => {
    const canary = "sk-canary-0123456789";
    beforeEach(() => {
      process.env.OPENAI_API_KEY = canary;
      process.env.COGENCY_CANARY = canary;
    });
    afterEach(() => {
      delete process.env.OPENAI_API_KEY;
      delete process.env.COGENCY_CANARY;
    });

    it.each(["env", "printenv", "printenv OPENAI_API_KEY", "cat /proc/self/environ", script("set; export -p")])(
      "shows no variable of the host to %s",
      async (command) => {
        expect(JSON.stringify(await result(command))).not.toContain("canary");
      },
    );

    it("holds the host's variables", async () => {
      const { stdout } = await result("env", { env: { CI: "yes", HOME: undefined } });
      expect(stdout).toContain("CI=yes\n");
      expect(stdout).not.toMatch(/^HOME=/m);
    });

    it("does not resolve a bare name to a program in the root", async () => {
      await writeFile(join(folder, "mine"), "#!/bin/sh\necho mine\n");
      await chmod(join(folder, "mine"), 0o755);
      const path = process.env.PATH;
      process.env.PATH = `${folder}:.:${path}`;
      try {
        expect((await shell("mine")).error).toMatchObject({ code: "program_not_found" });
        expect(await result("./mine")).toMatchObject({ stdout: "mine\n" });
      } finally {
        process.env.PATH = path;
      }
    });
  });

  describe("output", () => {
    it("keeps its beginning and its end, however much the program writes, without stopping the program", async () => {
      const written = 30_000_000;
      const { stdout, truncated } = await result(
        script(`echo first; head -c ${written - 11} /dev/zero | tr "\\0" x; echo last`),
        { maxOutputBytes: 1000 },
      );
      expect(stdout).toMatch(/^first\nx+\n\[… 29999000 bytes left out …\]\nx+last\n$/);
      expect(stdout.length).toBeLessThan(1100);
      expect(truncated).toEqual({ stdout: written - 1000 });
    });

    it("replaces bytes that are not UTF-8", async () => {
      expect((await result("printf 'a\\377b'")).stdout).toBe("a\ufffdb");
    });

    it("is reported while the program runs", async () => {
      const updates: Json[] = [];
      const tool = shellTool(await openProject(folder));
      const observer: Observer = (event) => {
        if (event.type === "progress") updates.push(event.update);
      };
      const waits = "echo one; until [ -e go ]; do sleep 0.02; done; echo two >&2";
      const running = runner([tool])([{ name: "shell", args: { command: script(waits) } }], { observer });
      await expect.poll(() => updates).toEqual([{ stream: "stdout", text: "one\n" }]);
      await writeFile(join(folder, "go"), "");
      await running;
      expect(updates).toEqual([
        { stream: "stdout", text: "one\n" },
        { stream: "stderr", text: "two\n" },
      ]);
    });

    it("is reported at most ten times a second, in short pieces", async () => {
      const updates: Json[] = [];
      const observer: Observer = (event) => {
        if (event.type === "progress") updates.push(event.update);
      };
      const tool = shellTool(await openProject(folder));
      const command = script("head -c 20000000 /dev/zero | tr '\\0' x");
      const [execution] = await runner([tool])([{ name: "shell", args: { command } }], { observer });
      const seconds = (execution?.completedAt ?? 0) - (execution?.startedAt ?? 0);
      expect(updates.length).toBeLessThanOrEqual(2 + seconds * 11);
      expect(Math.max(...updates.map((update) => JSON.stringify(update).length))).toBeLessThan(4200);
    });
  });

  describe("does not wait for processes that a program leaves behind", () => {
    it.each([
      ["a background job", "sleep 600 & echo $!"],
      ["a background job with other output", "sleep 600 >/dev/null 2>&1 & echo $!"],
      ["one that ignores hanging up", "nohup sleep 600 2>/dev/null & echo $!"],
      ["one that ignores TERM", "bash -c \"trap '' TERM HUP; sleep 600\" & echo $!"],
      ["one that writes without end", "yes >&2 & echo $!"],
    ])("and kills %s", async (_, text) => {
      const { startedAt, completedAt, value } = await shell(script(text));
      expect(value).toMatchObject({ exitCode: 0 });
      expect(completedAt - startedAt).toBeLessThan(60);
      await expectNothingLeft(folder);
    });

    it("but releases the pipes of a process in a session of its own", async () => {
      // With a sandbox no process is left.
      if (sandbox !== "off") {
        expect(await result(script("setsid sleep 600 & echo on"))).toMatchObject({ stdout: "on\n" });
        return expectNothingLeft(folder);
      }
      const held = fileURLToPath(new URL("../../test/shell/held-pipes.mjs", import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [held, folder], { timeout: 18_000 });
      const left = JSON.parse(stdout) as Ending;
      expect(left).toMatchObject({ exitCode: 0 });
      const pid = Number(left.stdout);
      expect(isRunning(pid)).toBe(true);
      process.kill(pid, "SIGKILL");
      await expectGone(pid);
    });
  });

  describe("at its time limit", () => {
    const endless = (text: string) => script(`echo $$; ${text}`);
    const quick = { timeout: 700, killAfter: 200 };

    const endings: [name: string, command: string][] = [
      ["a program that waits", endless("exec sleep 60")],
      ["one that ignores TERM", endless("trap '' TERM HUP INT; while :; do sleep 0.05; done")],
      ["one with a child", script("sleep 600 & echo $!; wait")],
      [
        "one with a child that ignores TERM",
        script("bash -c \"trap '' TERM; echo \\$\\$; while :; do sleep 0.05; done\"; :"),
      ],
      ["one with a child in a session of its own", script("setsid sleep 600 & echo $!; wait")],
      [
        "one with such a child that ignores TERM",
        script("setsid bash -c \"trap '' TERM; echo \\$\\$; while :; do sleep 0.05; done\" & wait"),
      ],
      ["one that writes without end", endless("exec yes >&2")],
    ];
    it.each(limits === "one" ? endings.slice(0, 1) : endings)(
      "ends %s, and reports what it printed",
      async (_, command) => {
        const { outcome, error } = await shell(command, quick);
        expect(outcome).toBe("failure");
        expect(error).toMatchObject({ code: "timeout", command, stdout: expect.stringMatching(/^\d+\n$/) });
        const pid = Number((error as Error & { stdout: string }).stdout);
        expect(error?.message).toContain(`ended after 0.7 s, its limit`);
        expect(error?.message).toContain(`{"stdout":"${pid}\\n"`);
        await expectNothingLeft(folder);
      },
    );

    if (limits === "one") return;

    it("lets a program that handles TERM clean up", async () => {
      const command = script("trap 'echo cleaned > done; exit' TERM; sleep 600 & echo $!; wait");
      await shell(command, { timeout: 700 });
      expect(await readFile(join(folder, "done"), "utf8")).toBe("cleaned\n");
      await expectNothingLeft(folder);
    });

    it("accepts a shorter limit from a call, but no longer one than the host's", async () => {
      const run = runner([shellTool(await openProject(folder), { timeout: 60_000 })]);
      const call = (timeout: number) => ({ name: "shell", args: { command: "sleep 60", timeout } });
      const [short, long, none] = await run([call(2), call(60.1), call(0)]);
      expect(short?.error).toMatchObject({ code: "timeout" });
      expect(short?.error?.message).toContain("at most 60");
      expect([long?.error, none?.error]).toMatchObject([{ code: "invalid_arguments" }, { code: "invalid_arguments" }]);
    });
  });

  describe("when the run is cancelled", () => {
    it.each([
      ["a program", "echo $$; exec sleep 60"],
      ["one that ignores TERM", "trap '' TERM; echo $$; while :; do sleep 0.05; done"],
      ["a child in a session of its own", "setsid sleep 600 & echo $!; wait"],
    ])("ends %s", async (_, text) => {
      const controller = new AbortController();
      const tool = shellTool(await openProject(folder), { killAfter: 200 });
      const [execution] = await runner([tool])([{ name: "shell", args: { command: script(text) } }], {
        signal: controller.signal,
        observer: (event) => {
          if (event.type !== "progress") return;
          controller.abort();
        },
      });
      expect(execution?.outcome).toBe("cancelled");
      await expectNothingLeft(folder);
    });

    it("says of a pipe whose reader has ended that what stands behind it did not run", async () => {
      const tool = shellTool(await openProject(folder));
      await expect(call(tool, { command: "yes | head -2 && echo after" })).rejects.toMatchObject({
        code: "command_failed",
        message: expect.stringMatching(
          /^exit code 141\nstdout:\ny\ny\nabout the pipe: A program in a pipe .* nothing behind && has run\./,
        ),
      });
      expect(await call(tool, { command: "yes | head -2; echo after" })).toMatchObject({ stdout: "y\ny\nafter\n" });
    });

    it("shows what the program had printed until then", async () => {
      const controller = new AbortController();
      const tool = shellTool(await openProject(folder));
      const command = script("echo one; echo two >&2; exec sleep 60");
      let heard = "";
      const calling = call(tool, { command }, controller.signal, (update) => {
        heard += (update as { text: string }).text;
        if (heard.includes("one") && heard.includes("two")) controller.abort();
      });
      await expect(calling).rejects.toMatchObject({
        code: "cancelled",
        message:
          '"bash" was ended with all it had started. Until then it printed: {"stdout":"one\\n","stderr":"two\\n"}',
        stdout: "one\n",
      });
    });

    it("does not start a program", async () => {
      const tool = shellTool(await openProject(folder));
      const calling = call(tool, { command: "touch canary" }, AbortSignal.abort());
      await expect(calling).rejects.toMatchObject({ name: "AbortError" });
      expect(await readdir(folder)).toEqual(["secret.txt"]);
    });
  });

  describe("in a batch", () => {
    it("runs in call order, also among calls that write files", async () => {
      const root = await openProject(folder);
      const run = runner([shellTool(root), writeTool(root)]);
      const executions = await run([
        { name: "write", args: { file: "a.txt", content: "1" } },
        { name: "shell", args: { command: script("sleep 0.1; echo 2 >> a.txt") } },
        { name: "shell", args: { command: "cat a.txt" } },
        { name: "write", args: { file: "a.txt", content: "3", overwrite: true } },
        { name: "shell", args: { command: "cat a.txt" } },
      ]);
      expect(executions[2]?.value).toMatchObject({ stdout: "12\n" });
      expect(executions[4]?.value).toMatchObject({ stdout: "3" });
    });
  });

  it("keeps git from obeying a repository made of plain files", async () => {
    const shell = shellTool(await openProject(folder));
    const config = '[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = "touch canary; false"\n';
    const files = { HEAD: "ref: refs/heads/main\n", config, "objects/a": "", "refs/a": "" };
    for (const name of ["objects", "refs"]) await mkdir(join(folder, name));
    for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
    await endingOf(call(shell, { command: "git status" }));
    expect(await readdir(folder)).not.toContain("canary");
  });

  it("asks by default, and declares that it is destructive", async () => {
    const tool = shellTool(await openProject(folder));
    expect(tool.approval).toBe("ask");
    expect(tool.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: sandbox === "off",
    });
  });

  it("has no argument that could lower isolation", async () => {
    const { properties } = shellTool(await openProject(folder)).spec.parameters as { properties: object };
    expect(Object.keys(properties)).toEqual(["command", "cwd", "timeout"]);
  });
}
