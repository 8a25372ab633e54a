import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, JsonObject, LogEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import type { Tool } from "@cogency/tools";
import { describe, expect, it, type TestContext, vi } from "vitest";
import { openJobs } from "../../src/shell/background/job-board.ts";
import type { JobState, JobsOptions } from "../../src/shell/background/jobs.ts";
import { shellOutputTool } from "../../src/shell/background/shell-output-tool.ts";
import { shellStopTool } from "../../src/shell/background/shell-stop-tool.ts";
import type { ShellOptions } from "../../src/shell/shell-options.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";
import { call } from "../call.ts";
import { projectAt } from "../sandbox/in-sandbox.ts";
import { expectNothingLeft, workingIn } from "./processes.ts";

/** What a command in the background does, with and without a sandbox. */
export function backgroundCases(sandbox: "off" | "required"): void {
  /** A folder, and the tools of a conversation in it. */
  async function place(onEnd: TestContext["onTestFinished"], options: ShellOptions = {}, told: JobsOptions = {}) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-background-")));
    const jobs = openJobs(told);
    const shell = shellTool(await projectAt(folder), { sandbox, jobs, killAfter: 300, ...options });
    const tools: Tool[] = [shell, shellOutputTool({ jobs }), shellStopTool({ jobs })];
    onEnd(async () => {
      await jobs.endAll();
      await expectNothingLeft(folder);
      await rm(folder, { recursive: true });
    });
    const run = (name: string, args: JsonObject, signal?: AbortSignal, events?: readonly LogEvent[]) => {
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new Error(`no ${name}`);
      return call(tool, args, signal, undefined, events) as Promise<JsonObject>;
    };
    return {
      folder,
      jobs,
      run,
      start: (command: string, events?: readonly LogEvent[]) =>
        run("shell", { command, background: true }, undefined, events),
      output: (args: JsonObject) => run("shell_output", args),
      touch: (name: string) => writeFile(join(folder, name), ""),
    };
  }
  const key = { conversation: "test" };
  const patient = { wait: 60 };

  it.concurrent("that ends by itself is told of once, unless a call waits for that or somebody has ended it", async ({
    onTestFinished,
  }) => {
    const ended: [Key, JobState][] = [];
    const onEnd: JobsOptions["onEnd"] = (...told) => {
      ended.push(told);
      throw new Error("the host's own business");
    };
    const { jobs, run, start, output, touch } = await place(onTestFinished, {}, { onEnd });
    const until = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done; exit 3`;
    await start(until("awaited"));
    const awaited = output({ job: "job_1", ...patient });
    await touch("awaited");
    expect(await awaited).toMatchObject({ state: "ended" });
    await start("exec sleep 600");
    await run("shell_stop", { job: "job_2" });
    await start(until("alone"));
    await touch("alone");
    await vi.waitFor(() => expect(jobs.of(key).every((job) => job.ended !== undefined)).toBe(true), 60_000);
    await vi.waitFor(() => expect(ended).toHaveLength(1), 60_000);
    expect(ended).toMatchObject([[key, { id: "job_3", command: until("alone"), ended: "exit code 3" }]]);
  });

  it.concurrent("goes on when the call has returned, is looked at, and is ended", async ({ onTestFinished }) => {
    const { folder, jobs, run, start, output } = await place(onTestFinished);
    expect(await start("echo ready; echo warn >&2; exec sleep 600")).toEqual({
      job: "job_1",
      command: "echo ready; echo warn >&2; exec sleep 600",
      state: "running",
      seconds: expect.any(Number),
      stdout: "ready\n",
      stderr: "warn\n",
    });
    expect(await output({ job: "job_1" })).toMatchObject({ job: "job_1", state: "running", stdout: "", stderr: "" });
    expect(jobs.of(key)).toMatchObject([{ id: "job_1", ended: undefined, lastLine: "warn" }]);
    expect(await run("shell_stop", { job: "job_1" })).toMatchObject({ job: "job_1", state: "ended" });
    await expectNothingLeft(folder);
    expect(await output({ job: "job_1" })).toMatchObject({ state: "ended" });
    expect(await run("shell_stop", { job: "job_1" })).toMatchObject({ state: "ended" });
  });

  it.concurrent("is an ordinary call if it ends within a second", async ({ onTestFinished }) => {
    const { jobs, start } = await place(onTestFinished);
    await expect(start("echo broken >&2; exit 3")).rejects.toMatchObject({ code: "command_failed", exitCode: 3 });
    expect(await start("echo done")).toEqual({ exitCode: 0, stdout: "done\n", stderr: "" });
    await expect(start("no-such-program")).rejects.toMatchObject({ code: "program_not_found" });
    expect(jobs.of(key)).toEqual([]);
  });

  it.concurrent("shows output once, also what came between two looks, and how it ended", async ({ onTestFinished }) => {
    const { start, output, touch } = await place(onTestFinished);
    await start("while [ ! -e go ]; do sleep 0.05; done; echo one; echo two >&2; exit 4");
    await touch("go");
    expect(await output({ job: "job_1", ...patient })).toMatchObject({
      state: "ended",
      exitCode: 4,
      stdout: "one\n",
      stderr: "two\n",
    });
    expect(await output({ job: "job_1" })).toMatchObject({ state: "ended", exitCode: 4, stdout: "", stderr: "" });
  });

  it.concurrent("is waited for until a line matches, by a text or an expression", async ({ onTestFinished }) => {
    const { start, output, touch } = await place(onTestFinished);
    await start(
      "for f in a b c; do while [ ! -e $f ]; do sleep 0.05; done; echo line $f on port 30$f; done; sleep 600",
    );
    const later = output({ job: "job_1", until: "line a", ...patient });
    await touch("a");
    expect(await later).toMatchObject({ matched: "line a on port 30a", stdout: "line a on port 30a\n" });
    await touch("b");
    await output({ job: "job_1", until: "line b", ...patient });
    // What was seen is no match.
    expect(await output({ job: "job_1", until: "line b", wait: 0 })).toMatchObject({
      state: "running",
      stdout: "",
      note: "No line that was printed since the last look matches.",
    });
    await touch("c");
    const found = await output({ job: "job_1", until: "port \\d+c$", regex: true, ...patient });
    expect(found).toMatchObject({ matched: "line c on port 30c" });
    await expect(output({ job: "job_1", until: "(?=x)", regex: true, wait: 1 })).rejects.toMatchObject({
      code: "expression_invalid",
    });
  });

  it.concurrent("counts at the first look what its start has shown", async ({ onTestFinished }) => {
    const { start, output } = await place(onTestFinished);
    await start("echo listening on 3000; exec sleep 600");
    const look = { job: "job_1", until: "listening", ...patient };
    expect(await output(look)).toMatchObject({ matched: "listening on 3000", stdout: "" });
    expect(await output({ ...look, wait: 0 })).not.toHaveProperty("matched");
  });

  it.concurrent("does not keep a call that is cancelled, and goes on", async ({ onTestFinished }) => {
    const { run, start, output } = await place(onTestFinished);
    await start("sleep 600");
    const { signal, abort } = abortable();
    const looking = run("shell_output", { job: "job_1", ...patient }, signal);
    abort();
    await expect(looking).rejects.toThrow("cancelled");
    expect(await output({ job: "job_1" })).toMatchObject({ state: "running" });
  });

  it.concurrent("is ended if its call is cancelled while it starts", async ({ onTestFinished }) => {
    const { folder, jobs, run } = await place(onTestFinished);
    const { signal, abort } = abortable();
    const starting = run("shell", { command: "touch began; sleep 600", background: true }, signal);
    await vi.waitFor(() => expect(workingIn(folder)).not.toEqual([]), { timeout: 60_000 });
    abort();
    await expect(starting).rejects.toThrow();
    await expectNothingLeft(folder);
    expect(jobs.of(key)).toEqual([]);
  });

  it.concurrent("keeps the beginning and the end of much output, and says what was left out", async ({
    onTestFinished,
  }) => {
    const { start, output, touch } = await place(onTestFinished, { maxOutputBytes: 100 });
    const end = "while [ ! -e go ]; do sleep 0.05; done; seq 1 1000; echo é; exit 0";
    await start(end);
    await touch("go");
    const { stdout, truncated } = await output({ job: "job_1", ...patient });
    expect(stdout).toMatch(/^1\n2\n[\s\S]*\n\[… 3\d{3} bytes left out …\]\n[\s\S]*\n1000\né\n$/);
    expect(truncated).toEqual({ stdout: expect.any(Number) });
  });

  it.concurrent("is one of eight, and another one is refused with what can be ended", async ({ onTestFinished }) => {
    const { jobs, run, start } = await place(onTestFinished);
    await Promise.all(Array.from({ length: 8 }, () => start("sleep 600")));
    await expect(start("sleep 600")).rejects.toMatchObject({ code: "jobs_full" });
    await expect(start("sleep 600")).rejects.toThrow(/shell_stop.*job_1, .*job_8\./);
    await run("shell_stop", { job: "job_3" });
    expect(await start("sleep 600")).toMatchObject({ job: "job_9" });
    expect(await jobs.endAll()).toBe(8);
    expect(jobs.of(key)).toEqual([]);
  });

  it.concurrent("belongs to its conversation and its user, and is gone when that is left", async ({
    onTestFinished,
  }) => {
    const { jobs, start, output } = await place(onTestFinished);
    await start("sleep 600");
    expect(jobs.of({ conversation: "other" })).toEqual([]);
    expect(jobs.of({ conversation: "test", user: "somebody" })).toEqual([]);
    expect(await jobs.end({ conversation: "other" })).toBe(0);
    await expect(jobs.stop({ conversation: "other" }, "job_1")).rejects.toMatchObject({ code: "job_unknown" });
    expect(await jobs.end(key)).toBe(1);
    await expect(output({ job: "job_1" })).rejects.toMatchObject({ code: "job_unknown" });
  });

  it.concurrent("does not keep other commands waiting, whatever they are", async ({ onTestFinished }) => {
    const { folder, jobs, run, start } = await place(onTestFinished);
    await mkdir(join(folder, "sub"));
    await start("while :; do date >> log; sleep 0.1; done");
    for (const command of ["git init -q sub", "ls", "echo x > file", "rm file"])
      await run("shell", { command, timeout: 60 });
    expect(jobs.of(key)).toMatchObject([{ ended: undefined }]);
  });

  describe("after the process that had started it has ended", () => {
    const finished = (tool: string, content: Json): LogEvent => ({
      type: "record",
      kind: "finished",
      data: { id: "call_1", result: { tool, status: "success", content } },
      timestamp: 1,
    });
    const log = [
      finished("shell", { job: "job_1", command: "npm run dev", state: "running", stdout: "", stderr: "" }),
      finished("shell", { job: "job_2", command: "sleep 1", state: "running", stdout: "", stderr: "" }),
      finished("shell_output", { job: "job_2", state: "ended", stdout: "", stderr: "" }),
    ];

    it.concurrent("the model is told once that it is gone, and with what code a look fails", async ({
      onTestFinished,
    }) => {
      const { jobs } = await place(onTestFinished);
      const notice = jobs.notice(key, log);
      expect(notice).toMatch(/ended: job_1 \(npm run dev\)\. Start again what is still needed\.$/);
      const told: LogEvent = { type: "user", origin: "notice", content: notice ?? "", timestamp: 2 };
      expect(jobs.notice(key, [...log, told])).toBeUndefined();
      expect(jobs.notice(key, [])).toBeUndefined();
    });

    it.concurrent("its number is not given again", async ({ onTestFinished }) => {
      const { jobs, start } = await place(onTestFinished);
      const started = await start("sleep 600", log);
      expect(started).toMatchObject({ job: "job_3" });
      expect(jobs.notice(key, [...log, finished("shell", started)])).not.toContain("job_3");
    });
  });
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("cancelled")) };
}
