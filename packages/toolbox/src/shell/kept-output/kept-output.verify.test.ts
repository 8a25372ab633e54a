import { mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, LogEvent } from "@cogency/protocol";
import { createExecutor, createRegistry, readResultTool, type ToolExecution, toToolResult } from "@cogency/tools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRoot } from "../../files/confine/root.ts";
import type { ShellOptions } from "../shell-options.ts";
import { shellTool } from "../shell-tool.ts";
import type { KeptOutput } from "./kept-output.ts";
import { openKeptOutput } from "./open-kept-output.ts";

let folder = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-kept-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const key = { conversation: "c", id: "call_1", part: "stdout" };

describe.each([
  ["in files", (maxBytes?: number) => openKeptOutput({ folder: join(folder, "outputs"), maxBytes })],
  ["in memory", (maxBytes?: number) => openKeptOutput({ maxBytes })],
])("output that is kept %s", (_, open) => {
  it("is read again as it was, and nothing else is", async () => {
    const kept = open();
    await kept.keep(key, "é😀\r\n\ufeff\0".repeat(1000));
    expect(await kept.read(key)).toBe("é😀\r\n\ufeff\0".repeat(1000));
    for (const other of [{ part: "stderr" }, { id: "../call_1" }, { conversation: "d" }, { user: "u" }])
      expect(await kept.read({ ...key, ...other })).toBeUndefined();
  });

  it("goes with its conversation, and stays with a fork of it", async () => {
    const kept = open();
    await kept.keep(key, "text");
    await kept.copy({ conversation: "c" }, { conversation: "fork" });
    await kept.copy({ conversation: "none" }, { conversation: "fork" });
    await kept.forget({ conversation: "c" });
    expect(await kept.read(key)).toBeUndefined();
    expect(await kept.read({ ...key, conversation: "fork" })).toBe("text");
    await kept.forget({ conversation: "fork" });
    expect(await kept.read({ ...key, conversation: "fork" })).toBeUndefined();
  });

  it("makes room for what is new: what is oldest goes first", async () => {
    const kept = open(5000);
    for (const id of ["a", "b", "c"]) {
      await kept.keep({ ...key, id }, id.repeat(2000));
      // Files know when they were written to the millisecond.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await kept.read({ ...key, id: "a" })).toBeUndefined();
    expect(await kept.read({ ...key, id: "c" })).toBe("c".repeat(2000));
  });
});

it("is kept without what the host redacts, in files that only the user may open", async () => {
  const kept = openKeptOutput({ folder: join(folder, "outputs"), redact: (text) => text.replaceAll("secret", "…") });
  await kept.keep(key, "a secret");
  expect(await openKeptOutput({ folder: join(folder, "outputs") }).read(key)).toBe("a …");
  for (const name of ["", ...(await readdir(join(folder, "outputs"), { recursive: true }))])
    expect((await stat(join(folder, "outputs", name))).mode & 0o077).toBe(0);
});

describe("shell with a keeper", () => {
  async function shell(
    command: string,
    outputs: KeptOutput | undefined,
    options: ShellOptions = {},
    signal?: AbortSignal,
  ) {
    const root = await openRoot(folder, { access: "project" });
    const tool = shellTool(root, { sandbox: "off", maxOutputBytes: 1000, outputs, ...options });
    const [execution] = await executor([tool]).run([{ name: "shell", args: { command } }], {
      conversation: "c",
      ...(signal && { signal }),
    });
    return execution as ToolExecution;
  }
  const executor = (tools: Parameters<typeof createRegistry>[0]) =>
    createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });

  /** Reads a part as a model does, by calls of `read_result`, which the cut text names. */
  async function readOn(execution: ToolExecution, args: Record<string, Json>, parts: KeptOutput) {
    const result = toToolResult(execution);
    const events: LogEvent[] = [{ type: "record", kind: "finished", data: { id: execution.id, result }, timestamp: 1 }];
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const [read] = await executor([readResultTool({ parts })]).run([{ name: "read_result", args }], {
      conversation: "c",
      state: { events, metadata: {}, step: 1, usage },
    });
    if (read?.error) throw read.error;
    return read?.value as { text: string; next?: number; total: number; matches: { at: number; text: string }[] };
  }

  const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
  const named = (text: string) => {
    const [, args] = /read it on with read_result (\{[^}]*\})/.exec(text.replaceAll('\\"', '"')) ?? [];
    return JSON.parse(args ?? "null");
  };

  it.each<[string, string, ShellOptions, (execution: ToolExecution) => string]>([
    ["that succeeds", "seq 20000", {}, ({ value }) => (value as { stdout: string }).stdout],
    ["that fails", "seq 20000; exit 3", {}, ({ error }) => (error as Error).message],
    ["that reaches its limit", "seq 20000; sleep 60", { timeout: 1500 }, ({ error }) => (error as Error).message],
  ])(
    "keeps all that a command prints %s, and the cut text says how to read it",
    async (_, command, options, textOf) => {
      const outputs = openKeptOutput({ folder: join(folder, "outputs") });
      const execution = await shell(command, outputs, options);
      const args = named(textOf(execution));
      expect(args).toEqual({ id: execution.id, part: "stdout", from: expect.any(Number) });
      // Another process opens the place anew.
      const later = openKeptOutput({ folder: join(folder, "outputs") });
      let whole = "";
      for (let from: number | undefined = 0; from !== undefined; ) {
        const page = await readOn(execution, { ...args, from }, later);
        whole += page.text;
        from = page.next;
      }
      expect(whole).toBe(numbers);
      const next = await readOn(execution, args, later);
      expect(numbers.slice(args.from).startsWith(next.text)).toBe(true);
      const { matches } = await readOn(execution, { ...args, find: "\n12345\n" }, later);
      expect(matches).toMatchObject([{ text: expect.stringContaining("12345") }]);
    },
  );

  it("keeps what a command has printed that is cancelled", async () => {
    const outputs = openKeptOutput();
    const cancel = new AbortController();
    const tooMuch = "seq 20000; touch printed; sleep 60";
    const running = shell(tooMuch, outputs, {}, cancel.signal);
    await expect.poll(() => readdir(folder), { timeout: 60_000 }).toContain("printed");
    cancel.abort(new DOMException("stop", "AbortError"));
    const execution = await running;
    const kept = (await outputs.read({ conversation: "c", id: execution.id, part: "stdout" })) ?? "";
    expect(kept.length).toBeGreaterThan(0);
    expect(numbers.startsWith(kept)).toBe(true);
  });

  it("keeps each stream for itself, and nothing of a short one", async () => {
    const outputs = openKeptOutput();
    const execution = await shell("seq 20000 >&2; echo done", outputs);
    expect(execution.value).toMatchObject({ stdout: "done\n", stderr: expect.stringContaining('"part":"stderr"') });
    expect(await readOn(execution, { id: execution.id, part: "stderr" }, outputs)).toMatchObject({
      total: numbers.length,
    });
    await expect(readOn(execution, { id: execution.id, part: "stdout" }, outputs)).rejects.toMatchObject({
      code: "unknown_result",
      message: expect.stringContaining("Nothing more is kept"),
    });
  });

  it("cuts as it would without one where nothing can be kept: the command has run", async () => {
    const full = { ...openKeptOutput(), keep: () => Promise.reject(new Error("disk full")) };
    const { value } = await shell("seq 20000", full);
    const { value: without } = await shell("seq 20000", undefined);
    expect(value).toEqual(without);
    expect(value).toMatchObject({ stdout: expect.stringMatching(/\n\[… \d+ bytes left out …\]\n/) });
  });
});

describe("the time of a command", () => {
  const limitOf = async (options: ShellOptions) => {
    const root = await openRoot(folder, { access: "project" });
    const tool = shellTool(root, { sandbox: "off", ...options });
    const { timeout } = (tool.spec.parameters as { properties: { timeout: { maximum: number; description: string } } })
      .properties;
    return { maximum: timeout.maximum, says: timeout.description, executor: tool.timeout };
  };

  it.each<[string, ShellOptions, number, string]>([
    ["two minutes where the host says nothing", {}, 120, "120 when absent"],
    ["what the host says", { timeout: 5000 }, 5, "5 when absent"],
    ["up to what a call may ask for", { maxTimeout: 1_800_000 }, 1800, "120 when absent, at most 1800"],
    ["no longer than a call may ask for", { maxTimeout: 60_000 }, 60, "60 when absent"],
  ])("is %s", async (_, options, maximum, says) => {
    const limit = await limitOf(options);
    expect(limit).toMatchObject({ maximum, says: expect.stringMatching(new RegExp(`${says}$`)) });
    // The executor waits longer than any call may take.
    expect(limit.executor).toBeGreaterThan(maximum * 1000);
  });

  it("is that of the call, also beyond the one that holds where a call names none", async () => {
    const root = await openRoot(folder, { access: "project" });
    const tool = shellTool(root, { sandbox: "off", timeout: 300, maxTimeout: 60_000 });
    const executor = createExecutor({ registry: createRegistry([tool]), approval: { policy: () => "allow" } });
    const command = "sleep 1; echo done";
    const calls = [{ command }, { command, timeout: 50 }].map((args) => ({ name: "shell", args }));
    const [usual, longer] = await executor.run(calls, { conversation: "c" });
    const message = expect.stringContaining("Give a longer timeout (at most 60)");
    expect(usual?.error).toMatchObject({ code: "timeout", message });
    expect(longer?.value).toMatchObject({ stdout: "done\n" });
  });
});
