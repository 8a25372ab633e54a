import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRoot } from "../files/confine/root.ts";
import { type HostCommand, hostCommands } from "./host-commands.ts";
import { fileStates } from "./host-file-states.ts";
import { shellIsolation } from "./shell-isolation.ts";

let folder = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "host-commands-")));
});
afterEach(() => rm(folder, { recursive: true }));

const root = () => openRoot(folder, { access: "project" });

async function run(command: string, more: Partial<HostCommand> = {}, sandbox: "off" | "required" = "off") {
  const usual = { stdin: "", timeout: 20_000, maxOutputBytes: 10_000, signal: new AbortController().signal };
  return hostCommands(await root(), { sandbox })({ command, ...usual, ...more });
}

/** Whether a process runs. A zombie, which only waits for its parent, does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\t[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}

const pidIn = (name: string) => Number(readFileSync(join(folder, name), "utf8"));
const written = (name: string) => vi.waitFor(() => expect(pidIn(name)).toBeGreaterThan(1), { timeout: 20_000 });

describe("hostCommands", () => {
  it("gives a program its input, and returns what it printed and its exit code", async () => {
    const end = await run("cat; echo to stderr >&2; exit 3", { stdin: "given" });
    expect(end).toEqual({ end: "exited", exitCode: 3, signal: null, stdout: "given", stderr: "to stderr\n" });
  });

  it("lets a program ignore an input of any size", async () => {
    expect(await run("true", { stdin: "x".repeat(2_000_000) })).toMatchObject({ end: "exited", exitCode: 0 });
  });

  it("runs in the root, with the variables that commands get and no key", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-secret");
    const { stdout } = await run("pwd; env");
    vi.unstubAllEnvs();
    expect(stdout.split("\n")[0]).toBe(folder);
    expect(stdout).toContain("PATH=");
    expect(stdout).not.toContain("sk-secret");
  });

  const ends: readonly (readonly [string, string, Partial<HostCommand>, string])[] = [
    ["one that hangs", "sleep 600", { timeout: 100 }, "timeout"],
    ["one that ignores TERM", "trap '' TERM; while :; do sleep 1; done", { timeout: 100 }, "timeout"],
    ["one that floods", "yes", {}, "flooded"],
    ["one that floods stderr", "yes >&2", {}, "flooded"],
    ["one whose reader is gone", "sleep 600", { signal: AbortSignal.abort() }, "aborted"],
  ];
  it.each(ends)("ends %s", async (_, command, more, end) => {
    const ended = await run(command, more);
    expect(ended.end).toBe(end);
    expect(ended.stdout.length + ended.stderr.length).toBeLessThan(21_000);
  });

  it.each([
    ["no-such-program --now", "program_not_found"],
    ["./missing.sh", "program_not_found"],
    ["/", "program_not_executable"],
  ])("says that %s cannot be started", async (command, code) => {
    await expect(run(command)).rejects.toMatchObject({ name: "ShellError", code });
  });

  it.runIf(existsSync("/usr/bin/perl"))("lets a program wait for all of its children", async () => {
    const perl = `perl -e 'fork or exit; 1 while wait != -1; print "waited"'`;
    expect(await run(perl)).toMatchObject({ end: "exited", stdout: "waited" });
  });

  it.runIf(process.platform === "linux")("ends the processes that a program has left behind", async () => {
    await run("sleep 600 & echo $! > left; sleep 600 & echo $! > other");
    const pids = [pidIn("left"), pidIn("other")];
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]), { timeout: 20_000 });
  });

  it.runIf(process.platform === "linux")("ends with its owner, also when that is killed", async () => {
    const script = `
      import { openRoot } from ${JSON.stringify(new URL("../files/confine/root.ts", import.meta.url).href)};
      import { hostCommands } from ${JSON.stringify(new URL("./host-commands.ts", import.meta.url).href)};
      const root = await openRoot(${JSON.stringify(folder)}, { access: "project" });
      await hostCommands(root)({
        command: "echo $$ > first; sleep 600 & echo $! > second; wait",
        stdin: "", timeout: 600_000, maxOutputBytes: 1000, signal: new AbortController().signal,
      });
    `;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
    const gone = once(owner, "exit");
    await written("second");
    const pids = [pidIn("first"), pidIn("second")];
    expect(pids.map(isRunning)).toEqual([true, true]);
    owner.kill("SIGKILL");
    await gone;
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]), { timeout: 20_000 });
  });

  it("runs one in a sandbox, where nothing outside of the root can be changed", async (context) => {
    if (!(await shellIsolation(await root())).isolated) return context.skip();
    const outside = join(tmpdir(), `outside-${process.pid}`);
    const { stdout, exitCode } = await run(
      `cat > inside; echo x > ${outside}; cat inside`,
      { stdin: "given" },
      "required",
    );
    expect([exitCode, stdout, existsSync(outside)]).toEqual([0, "given", false]);
  });
});

describe("fileStates", () => {
  it("changes with the files that a command names, and with no other", async () => {
    await writeFile(join(folder, "check.js"), "1");
    await writeFile(join(folder, "other.js"), "1");
    const state = async () => [...(await fileStates(await root(), "node ./check.js --strict"))];
    const before = await state();
    expect(before.map(([file]) => file)).toEqual([join(folder, "check.js")]);
    await writeFile(join(folder, "other.js"), "2");
    expect(await state()).toEqual(before);
    await writeFile(join(folder, "check.js"), "2");
    expect(await state()).not.toEqual(before);
  });
});
