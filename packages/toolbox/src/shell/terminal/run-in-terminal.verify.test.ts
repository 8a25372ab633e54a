import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call } from "../../../test/call.ts";
import { FakeTerminals } from "../../../test/editor/fake-terminals.ts";
import { openRoot } from "../../files/confine/root.ts";
import { openKeptOutput } from "../kept-output/open-kept-output.ts";
import type { ShellOptions } from "../shell-options.ts";
import { shellTool } from "../shell-tool.ts";
import { runInTerminal } from "./run-in-terminal.ts";
import type { Terminal } from "./terminals.ts";

async function place(options: ShellOptions = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-terminal-")));
  const terminals = new FakeTerminals();
  onTestFinished(async () => {
    for (const { pid, exitCode, signalCode } of terminals.processes)
      expect(pid === undefined || exitCode !== null || signalCode !== null).toBe(true);
    await rm(folder, { recursive: true });
  });
  const shell = shellTool(await openRoot(folder, { access: "project" }), { sandbox: "off", terminals, ...options });
  const updates: Json[] = [];
  const run = (args: JsonObject, signal?: AbortSignal) =>
    call(shell, args, signal, (update) => updates.push(update)) as Promise<JsonObject>;
  return { folder, terminals, shell, updates, run };
}

describe("a command in a terminal of an editor", () => {
  it("gives what it prints, tells in which terminal it runs, and the terminal is released", async () => {
    const { folder, terminals, updates, run } = await place({ env: { OWN: "value", HOME: undefined } });
    expect(await run({ command: 'printf "$OWN\\r\\n\\033[31mred\\033[0m\\n"; echo err >&2; pwd' })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("value\nred\n"),
      stderr: "",
    });
    expect(updates).toEqual([{ type: "terminal", id: "term_1" }]);
    expect(terminals.done).toEqual(["release term_1"]);
    const [started] = terminals.started;
    expect(started).toMatchObject({ cwd: folder, env: { OWN: "value", PAGER: "cat" }, outputBytes: 65_536 });
    expect(started?.env).not.toHaveProperty("TERM");
    expect(Object.values(started?.env ?? {}).every((value) => typeof value === "string")).toBe(true);
  });

  it.each<[string, object]>([
    ["exit 3", { code: "command_failed", exitCode: 3, message: expect.stringContaining("exit code 3") }],
    ["kill -TERM $$", { code: "command_failed", signal: "SIGTERM" }],
    ["echo out; false", { code: "command_failed", stdout: "out\n" }],
    ["sleep 600", { code: "timeout", message: expect.stringContaining("ended after 1 s") }],
  ])("fails as one of this process does: %s", async (command, error) => {
    const { terminals, run } = await place({ timeout: 1000, killAfter: 20_000 });
    await expect(run({ command })).rejects.toMatchObject(error);
    expect(terminals.done.at(-1)).toBe("release term_1");
  });

  it("is killed and released when the call is cancelled, and the error holds what it had printed", async () => {
    const { folder, terminals, run } = await place({ killAfter: 20_000 });
    const cancel = new AbortController();
    const running = run({ command: "echo begun; touch begun; sleep 600" }, cancel.signal);
    await vi.waitFor(() => readFile(join(folder, "begun")), { timeout: 60_000 });
    cancel.abort(new DOMException("stop", "AbortError"));
    await expect(running).rejects.toMatchObject({ code: "cancelled", stdout: "begun\n" });
    expect(terminals.done).toEqual(["kill term_1", "release term_1"]);
  });

  it("shows a part of a long output, keeps the rest, and says where the terminal has dropped the beginning", async () => {
    const outputs = openKeptOutput();
    const kept = await place({ maxOutputBytes: 1000, outputs });
    expect(await kept.run({ command: "seq 20000" })).toMatchObject({
      stdout: expect.stringContaining("read it on with read_result"),
      truncated: { stdout: expect.any(Number) },
    });
    const short = await place({ maxOutputBytes: 1000 });
    const { stdout } = await short.run({ command: "seq 20000" });
    expect(stdout).toMatch(/^\[… the terminal does not keep the beginning …\]/);
    expect(stdout).toMatch(/20000\n$/);
  });

  it("is told to the model in the description of the tool", async () => {
    const { shell } = await place();
    expect(shell.spec.description).toContain("a terminal that the person sees");
    expect((await place({ terminals: undefined })).shell.spec.description).not.toContain("terminal that");
  });
});

describe("an editor whose terminals work badly", () => {
  const never = () => new Promise<never>(() => {});
  const closed = () => Promise.reject(new Error("closed"));
  const run = async (
    worse: (honest: Terminal) => Partial<Terminal>,
    own: { timeout?: number; command?: string } = {},
  ) => {
    const terminals = new FakeTerminals();
    terminals.worse = worse;
    const { timeout = 60_000, command = "echo out" } = own;
    const ended = runInTerminal(
      terminals,
      { file: "bash", args: ["-c", command], cwd: tmpdir(), env: process.env },
      {
        ...{ command, timeout, killAfter: 100, maxOutputBytes: 1000, answerWithin: 500 },
        signal: new AbortController().signal,
        onOutput() {},
        onTerminal() {},
      },
    );
    return { terminals, ended };
  };

  it.each<[string, (honest: Terminal) => Partial<Terminal>, object]>([
    [
      "has no id",
      () => ({ id: undefined }) as never,
      { code: "terminal_failed", message: expect.stringContaining("no id") },
    ],
    [
      "does not say how it ended",
      () => ({ ended: closed }),
      { code: "terminal_failed", message: expect.stringContaining("closed") },
    ],
    [
      "says neither code nor signal",
      (honest) => ({
        ended: async () => {
          await honest.ended();
          return {};
        },
      }),
      { code: "terminal_failed" },
    ],
    ["hangs when it is asked for the output", () => ({ output: never }), { code: "terminal_failed" }],
    ["gives no output", () => ({ output: closed }), { code: "terminal_failed" }],
    [
      "gives another kind of output",
      () => ({ output: async () => ({ text: 1, isCut: false }) as never }),
      { code: "terminal_failed" },
    ],
  ])("%s: the call fails, and the terminal is released", async (_, worse, error) => {
    const { terminals, ended } = await run(worse);
    await expect(ended).rejects.toMatchObject(error);
    expect(terminals.done).toEqual(["release term_1"]);
  });

  it.each<[string, (honest: Terminal) => Partial<Terminal>]>([
    ["does not answer when it is to end the program", () => ({ kill: never })],
    ["fails when it is to end the program", () => ({ kill: closed })],
    ["never says that it has ended", () => ({ ended: never })],
  ])("%s: a time limit holds all the same", async (_, worse) => {
    const { terminals, ended } = await run(worse, { timeout: 100, command: "echo out; sleep 600" });
    expect(await ended).toMatchObject({ end: "timeout" });
    expect(terminals.done).toContain("release term_1");
  });

  it("that does not release it does not hold up the call", async () => {
    const { ended } = await run(() => ({ release: never }));
    expect(await ended).toMatchObject({ end: "exited", exitCode: 0, stdout: { text: "out\n" } });
  });

  it.each([
    ["fails", closed, "closed"],
    ["does not answer", never, "may run the command all the same"],
  ])("and one that %s to start it: nothing is run a second time", async (_, start, message) => {
    const command = "echo out";
    const ended = runInTerminal(
      { start },
      { file: "bash", args: ["-c", command], cwd: tmpdir(), env: {} },
      {
        ...{ command, timeout: 60_000, killAfter: 100, maxOutputBytes: 1000, answerWithin: 200 },
        signal: new AbortController().signal,
        onOutput() {},
        onTerminal() {},
      },
    );
    await expect(ended).rejects.toMatchObject({ code: "start_failed", message: expect.stringContaining(message) });
  });
});
