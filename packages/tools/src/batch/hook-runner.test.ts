import { setTimeout as delay } from "node:timers/promises";
import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { batchContext, echo, executorOf, freeTool, never, parallel, sequential } from "../../test/support/fixtures.ts";
import type { MetadataPatch, ToolEvent } from "../host.ts";
import { type ToolHook, withAttachments } from "../index.ts";
import { toToolResult } from "../result/tool-result.ts";

const call = (name: string, args = {}, id?: string) => ({ name, args, ...(id && { id }) });

describe("hooks", () => {
  it("run by descending priority, equal ones in the order given, each with the call as the previous one changed it", async () => {
    const seen: string[] = [];
    const hook = (name: string, priority?: number): ToolHook => ({
      name,
      priority,
      beforeToolUse({ call }) {
        seen.push(`${name} ${JSON.stringify(call.args)}`);
        return { call: { args: { by: name } } };
      },
    });
    const hooks = [hook("a"), hook("b"), hook("c", 10), hook("d")];
    const [execution] = await executorOf([echo], { hooks }).run([call("echo")], batchContext());
    expect(seen).toEqual(["c {}", 'a {"by":"c"}', 'b {"by":"a"}', 'd {"by":"b"}']);
    expect(execution?.value).toEqual({ by: "d" });
  });

  it("replace the attachments of a value with the value, by their own or by none", async () => {
    const picture = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
    const shows = freeTool("shows", () => withAttachments("seen", [picture]));
    const resultOf = async (value?: unknown) => {
      const hook: ToolHook = {
        name: "h",
        afterToolUse: () => (value === undefined ? undefined : { replace: { value } }),
      };
      const [execution] = await executorOf([shows], { hooks: [hook] }).run([call("shows")], batchContext());
      return execution && toToolResult(execution);
    };
    const result = { tool: "shows", status: "success" };
    expect(await resultOf()).toEqual({ ...result, content: "seen", attachments: [picture] });
    expect(await resultOf("hidden")).toEqual({ ...result, content: "hidden" });
    const other = { ...picture, data: "AAAA" };
    expect(await resultOf(withAttachments("other", [other]))).toEqual({
      ...result,
      content: "other",
      attachments: [other],
    });
    expect(await resultOf(withAttachments("bad", [{ ...picture, data: "" }]))).toMatchObject({ status: "failure" });
  });

  it("that return nothing leave no trace", async () => {
    const events: ToolEvent[] = [];
    const hooks: ToolHook[] = [
      { name: "before", beforeToolUse: () => undefined },
      { name: "after", afterToolUse: () => undefined },
    ];
    await executorOf([echo], { hooks, observer: (event) => events.push(event) }).run([call("echo")], batchContext());
    expect(events.map(({ type }) => type)).toEqual(["started", "completed"]);
  });

  it("rewrite a call: the tool gets the new call, and the execution has both", async () => {
    const hooks: ToolHook[] = [{ name: "raise", beforeToolUse: () => ({ call: { args: { x: 99 } } }) }];
    const journaled: unknown[] = [];
    const journal = {
      question() {},
      approval: () => {},
      started: (ran: unknown, requested: unknown) => void journaled.push(ran, requested),
      finished: () => {},
    };
    const [execution] = await executorOf([echo], { hooks }).run(
      [call("echo", { x: 1 }, "c1")],
      batchContext({ journal }),
    );
    expect(execution).toMatchObject({
      value: { x: 99 },
      call: { id: "c1", args: { x: 99 } },
      requested: { id: "c1", args: { x: 1 } },
    });
    expect(journaled).toMatchObject([{ args: { x: 99 } }, { args: { x: 1 } }]);
  });

  it("may send a call to another tool, and block it if they return an invalid call", async () => {
    const hooks: ToolHook[] = [
      { name: "alias", beforeToolUse: ({ tool }) => (tool ? undefined : { call: { name: "echo" } }) },
      {
        name: "spoil",
        beforeToolUse: ({ call }) => (call.args.spoil ? { call: { args: { at: [1n] } as never } } : undefined),
      },
    ];
    const executions = await executorOf([echo], { hooks }).run(
      [call("eko", { a: 1 }), call("echo", { spoil: true })],
      batchContext(),
    );
    expect(executions[1]?.error?.message).toContain('the hook "spoil" failed: it gave impossible arguments');
    expect(executions.map(toToolResult)).toEqual([
      { tool: "echo", status: "success", content: { a: 1 } },
      {
        tool: "echo",
        status: "failure",
        content: "The call was blocked and did not run: a hook failed.",
      },
    ]);
  });

  it.each([parallel, sequential])("block a call, which still gets its id and its one result (%j)", async (options) => {
    const ran: string[] = [];
    const events: ToolEvent[] = [];
    const tool = (name: string) => freeTool(name, () => ran.push(name));
    const hooks: ToolHook[] = [
      { name: "guard", beforeToolUse: ({ call }) => (call.name === "danger" ? { block: "nope" } : undefined) },
    ];
    const executor = executorOf([tool("danger"), tool("safe")], { hooks, observer: (event) => events.push(event) });
    const executions = await executor.run([call("danger"), call("safe", {}, "c2")], batchContext(), options);
    expect(ran).toEqual(["safe"]);
    expect(executions).toMatchObject([
      { outcome: "blocked", started: false, error: { code: "blocked", hook: "guard", reason: "nope" } },
      { outcome: "success", id: "c2" },
    ]);
    expect(executions[0]?.id).toMatch(/^call_\w+$/);
    expect(toToolResult(executions[0] as never).content).toBe("danger was blocked and did not run: nope");
    expect(events.filter((event) => event.type === "completed" && event.execution.outcome === "blocked")).toHaveLength(
      1,
    );
  });

  it.each([parallel, sequential])(
    "answer a call in place of its body, after its checks and its approval (%j)",
    async (options) => {
      const ran: string[] = [];
      const asked: string[] = [];
      const kept: ToolHook = {
        name: "kept",
        beforeToolUse: ({ call }) => {
          if (call.name === "fails") return { answer: { error: new Error("It was so then.") } };
          return call.name === "runs" ? undefined : { answer: { value: "as recorded" } };
        },
      };
      const executor = executorOf(
        ["answered", "fails", "runs", "denied"].map((name) => freeTool(name, () => ran.push(name))),
        {
          hooks: [kept],
          approval: { policy: () => "ask", approve: ({ call: { name } }) => asked.push(name) > 0 && name !== "denied" },
        },
      );
      const calls = ["answered", "fails", "runs", "denied", "unknown"].map((name, index) =>
        call(name, {}, `c${index}`),
      );
      const executions = await executor.run(calls, batchContext(), options);
      expect(ran).toEqual(["runs"]);
      expect(asked).toEqual(["answered", "fails", "runs", "denied"]);
      expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "failure", "success", "denied", "failure"]);
      expect(executions[0]).toMatchObject({ value: "as recorded", started: true });
      expect(executions[1]).toMatchObject({ error: { message: "It was so then." } });
    },
  );

  it("with stopOnToolBlock, a blocked call ends the batch: later calls are skipped and have results", async () => {
    const ran: string[] = [];
    const hooks: ToolHook[] = [
      { name: "guard", beforeToolUse: ({ call }) => (call.name === "danger" ? { block: "nope" } : undefined) },
    ];
    const tools = ["first", "danger", "safe"].map((name) => freeTool(name, () => ran.push(name)));
    const executions = await executorOf(tools, { hooks, stopOnToolBlock: true }).run(
      [call("first"), call("danger"), call("safe"), call("unknown")],
      batchContext(),
      parallel,
    );
    expect(ran).toEqual(["first"]);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "blocked", "skipped", "skipped"]);
    expect(executions[2]?.error?.message).toBe("safe was skipped and did not run: an earlier call was blocked.");
  });

  it("replace a result before observers, journal and model get it", async () => {
    const seen: unknown[] = [];
    const hooks: ToolHook[] = [
      {
        name: "redact",
        afterToolUse: ({ execution }) =>
          execution.value === "secret" ? { replace: { value: "redacted" } } : undefined,
      },
    ];
    const journal = {
      question() {},
      approval: () => {},
      started: () => {},
      finished: (...all: unknown[]) => void seen.push(all),
    };
    const executor = executorOf([freeTool("tell", () => "secret")], { hooks, observer: (event) => seen.push(event) });
    const executions = await executor.run([call("tell")], batchContext({ journal }));
    expect(executions).toMatchObject([{ outcome: "success", value: "redacted" }]);
    expect(JSON.stringify([seen, executions])).not.toContain("secret");
  });

  it("may turn a failure into a success and a success into a failure", async () => {
    const hooks: ToolHook[] = [
      {
        name: "turn",
        afterToolUse: ({ execution }) => ({
          replace: execution.outcome === "failure" ? { value: "fine" } : { error: new Error("not fine") },
        }),
      },
    ];
    const tools = [echo, freeTool("bad", () => Promise.reject(new Error("bad")))];
    const executions = await executorOf(tools, { hooks }).run([call("echo"), call("bad")], batchContext());
    expect(executions.map(toToolResult)).toEqual([
      { tool: "echo", status: "failure", content: "not fine" },
      { tool: "bad", status: "success", content: "fine" },
    ]);
  });

  it("that fail before a call block it, and say which hook it was", async () => {
    const events: ToolEvent[] = [];
    const hooks: ToolHook[] = [
      {
        name: "broken",
        beforeToolUse() {
          throw new Error("no database");
        },
      },
    ];
    const executions = await executorOf([echo], { hooks, observer: (event) => events.push(event) }).run(
      [call("echo")],
      batchContext(),
    );
    expect(executions).toMatchObject([{ outcome: "blocked", error: { hook: "broken" } }]);
    expect(executions[0]?.error?.message).toContain('the hook "broken" failed: no database');
    expect(events).toMatchObject([
      { type: "hook_failed", error: { code: "hook_failed", hook: "broken", trigger: "beforeToolUse" } },
      { type: "completed" },
    ]);
  });

  it("that fail after a call withhold its result", async () => {
    const hooks: ToolHook[] = [{ name: "redact", afterToolUse: () => Promise.reject(new Error("no rules")) }];
    const executions = await executorOf([freeTool("tell", () => "secret")], { hooks }).run(
      [call("tell")],
      batchContext(),
    );
    expect(executions).toMatchObject([{ outcome: "failure", started: true, error: { code: "hook_failed" } }]);
    expect(JSON.stringify(executions)).not.toContain("secret");
  });

  it("that never return are abandoned at the time limit, with their signal aborted", async () => {
    let signal: AbortSignal | undefined;
    const hooks: ToolHook[] = [
      {
        name: "stuck",
        beforeToolUse(context) {
          signal = context.signal;
          return never();
        },
      },
    ];
    const executions = await executorOf([echo], { hooks, timeout: 20 }).run([call("echo")], batchContext());
    expect(executions).toMatchObject([{ outcome: "blocked" }]);
    expect(executions[0]?.error?.message).toContain("took longer than 20 ms");
    expect(signal?.aborted).toBe(true);
  });

  it("that never return do not block a run that is cancelled", async () => {
    const user = new AbortController();
    const hooks: ToolHook[] = [
      {
        name: "stuck",
        beforeToolUse() {
          user.abort();
          return never();
        },
      },
    ];
    const run = executorOf([echo], { hooks }).run([call("echo"), call("echo")], batchContext({ signal: user.signal }));
    expect((await run).map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
  });

  const circle: JsonObject = {};
  circle.self = circle;
  it.each<[string, object]>([
    ["arguments that are a circle", { args: circle }],
    ["arguments that are no JSON", { args: { at: [1n] } }],
  ])("that return %s as the call block it, and the execution keeps the call as it was", async (_, change) => {
    const failures: unknown[] = [];
    const executor = executorOf([echo], {
      hooks: [{ name: "odd", beforeToolUse: () => ({ call: change }) }],
      approval: { approve: async () => true },
      observer: (event) => void (event.type === "hook_failed" && failures.push(event.error.hook)),
    });
    const [execution] = await executor.run([call("echo", { a: 1 })], batchContext());
    expect(execution).toMatchObject({
      outcome: "blocked",
      call: { name: "echo", args: { a: 1 } },
      error: { hook: "odd" },
    });
    expect(failures).toEqual(["odd"]);
  });

  it("change an execution only by the value that they return", async () => {
    const hooks: ToolHook[] = [
      {
        name: "sly",
        afterToolUse({ execution }) {
          Object.assign(execution, { value: "forged" });
          return undefined;
        },
      },
    ];
    const [execution] = await executorOf([echo], { hooks }).run([call("echo")], batchContext());
    expect(execution).toMatchObject({ outcome: "failure", error: { code: "hook_failed", hook: "sly" } });
  });

  it("see calls in call order, also in a parallel batch", async () => {
    const seen: unknown[] = [];
    const hooks: ToolHook[] = [
      {
        name: "slow",
        async beforeToolUse({ call }) {
          await delay(call.args.n === 0 ? 10 : 0);
          seen.push(call.args.n);
          return undefined;
        },
      },
    ];
    await executorOf([echo], { hooks }).run(
      [0, 1, 2].map((n) => call("echo", { n })),
      batchContext(),
      parallel,
    );
    expect(seen).toEqual([0, 1, 2]);
  });
});

describe("the metadata that hooks patch", () => {
  const state = {
    events: [],
    metadata: { n: 0, kept: true },
    step: 1,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  };

  it.each([parallel, sequential])(
    "is kept after the batch, merged in call order whichever call ends first (%j)",
    async (options) => {
      const hooks: ToolHook[] = [
        {
          name: "count",
          afterToolUse: ({ execution }) => ({
            patch: (metadata) => ({ n: Number(metadata.n) + 1, last: execution.call.args.ms ?? null }),
          }),
        },
      ];
      const wait = freeTool("wait", ({ ms }) => delay(Number(ms)));
      const batch = executorOf([wait], { hooks }).open(batchContext({ state }), options);
      batch.add(call("wait", { ms: 15 }));
      batch.add(call("wait", { ms: 1 }));
      await batch.run();
      expect(batch.metadata).toEqual({ n: 2, kept: true, last: 1 });
      expect(state.metadata).toEqual({ n: 0, kept: true });
    },
  );

  it.each([
    [parallel, [0, 0]],
    [sequential, [0, 1]],
  ])("%j: later calls see %j", async (options, seen) => {
    const numbers: unknown[] = [];
    const hooks: ToolHook[] = [
      {
        name: "count",
        beforeToolUse: ({ state }) => void numbers.push(state.metadata.n),
        afterToolUse: ({ state }) => ({ patch: { n: Number(state.metadata.n) + 1 } }),
      },
    ];
    await executorOf([echo], { hooks }).run([call("echo"), call("echo")], batchContext({ state }), options);
    expect(numbers).toEqual(seen);
  });

  it("may come with a stop signal: the strongest counts, and of equal ones the earliest call's", async () => {
    const signal = (reason: "completed" | "user_requested", message: string) => ({ reason, message, context: {} });
    const hooks: ToolHook[] = [
      {
        name: "stop",
        afterToolUse({ execution }) {
          const { n } = execution.call.args;
          if (n === 0) return { stop: signal("completed", "done") };
          return { stop: signal("user_requested", `enough ${n}`) };
        },
      },
    ];
    const wait = freeTool("wait", ({ n }) => delay(n === 1 ? 10 : 0));
    const batch = executorOf([wait], { hooks }).open(batchContext(), parallel);
    for (const n of [0, 1, 2]) batch.add(call("wait", { n }));
    const executions = await batch.run();
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "success", "success"]);
    expect(batch.stop).toEqual(signal("user_requested", "enough 1"));
  });

  it.each<[string, MetadataPatch]>([
    [
      "sets a property",
      (metadata) => {
        metadata.n = 1;
        return metadata;
      },
    ],
    [
      "adds to a list",
      (metadata) => {
        (metadata.list as Json[]).push(1);
        return metadata;
      },
    ],
  ])("is not changed by a patch that writes to the metadata it gets: one that %s", async (_, patch) => {
    const hooks: ToolHook[] = [{ name: "count", afterToolUse: () => ({ patch }) }];
    const given = { n: 0, list: [] };
    const batch = executorOf([echo], { hooks }).open(batchContext({ state: { ...state, metadata: given } }));
    batch.add(call("echo"));
    await batch.run();
    expect([batch.metadata, given]).toEqual([
      { n: 0, list: [] },
      { n: 0, list: [] },
    ]);
  });

  it.each([parallel, sequential])("may hold values that are not JSON: %j", async (options) => {
    const client = { query: () => 1, self: new Map() };
    const events: ToolEvent[] = [];
    const hooks: ToolHook[] = [
      {
        name: "count",
        beforeToolUse: () => ({ patch: (metadata) => ({ n: Number(metadata.n) + 1 }) }),
        afterToolUse: () => ({ patch: ({ client, n }) => ({ n: Number(n) + 1, same: client === null ? 0 : 1 }) }),
      },
    ];
    const metadata = { n: 0, client } as unknown as JsonObject;
    const executor = executorOf([echo], { hooks, observer: (event) => events.push(event) });
    const batch = executor.open(batchContext({ state: { ...state, metadata } }), options);
    batch.add(call("echo"));
    batch.add(call("echo"));
    await batch.run();
    expect(batch.metadata).toEqual({ n: 4, same: 1, client });
    expect(batch.metadata.client).toBe(client);
    expect(events.filter(({ type }) => type === "hook_failed")).toEqual([]);
  });

  it.each(["beforeToolUse", "afterToolUse"] as const)(
    "is unchanged if the patch throws: observers get `hook_failed`, and the call continues (%s)",
    async (trigger) => {
      const events: ToolEvent[] = [];
      const patch = () => {
        throw new Error("odd");
      };
      const hooks: ToolHook[] = [{ name: "odd", [trigger]: () => ({ patch }) }];
      const executor = executorOf([echo], { hooks, observer: (event) => events.push(event) });
      const batch = executor.open(batchContext({ state }), parallel);
      batch.add(call("echo", { a: 1 }));
      expect(await batch.run()).toMatchObject([{ outcome: "success", value: { a: 1 } }]);
      expect(batch.metadata).toEqual(state.metadata);
      const message = 'The metadata stays as it was: the patch of the hook "odd" failed: odd';
      expect(events.at(-1)).toMatchObject({ type: "hook_failed", error: { hook: "odd", trigger, message } });
    },
  );
});

describe("the contract of hooks", () => {
  const breaches: [trigger: "beforeToolUse" | "afterToolUse", effect: unknown, field: string][] = [
    ["beforeToolUse", { replace: { value: 1 } }, "replace"],
    ["beforeToolUse", { call: { id: "x" } }, "call.id"],
    ["beforeToolUse", { call: { name: 7 } }, "call.name"],
    ["beforeToolUse", { call: { args: [] } }, "call.args"],
    ["beforeToolUse", { block: true }, "block"],
    ["beforeToolUse", { patch: 1 }, "patch"],
    ["beforeToolUse", { answer: "x" }, "answer"],
    ["beforeToolUse", { answer: { error: "x" } }, "answer.error"],
    ["beforeToolUse", { stop: "now" }, "stop"],
    ["beforeToolUse", "no", "the returned value"],
    ["afterToolUse", { call: { args: {} } }, "call"],
    ["afterToolUse", { block: "x" }, "block"],
    ["afterToolUse", { replace: { error: "x" } }, "replace.error"],
    ["afterToolUse", { stop: { reason: 1 } }, "stop.reason"],
    ["afterToolUse", { toString: 1 }, "toString"],
  ];
  const withHook = (trigger: string, effect: unknown) =>
    [{ name: "loose", [trigger]: () => effect }] as unknown as ToolHook[];

  it.each(breaches)(
    "is enforced: %s returning %j ends the batch, with hook, field and trigger",
    async (trigger, effect, field) => {
      const events: ToolEvent[] = [];
      const executor = executorOf([echo], {
        hooks: withHook(trigger, effect),
        observer: (event) => events.push(event),
      });
      const run = executor.run([call("echo"), call("echo")], batchContext(), sequential);
      await expect(run).rejects.toMatchObject({ code: "hook_contract", hook: "loose", trigger, field });
      expect(events.filter(({ type }) => type === "hook_breach")).toMatchObject([{ error: { field, trigger } }]);
    },
  );

  it("admits everything that a hook may do", async () => {
    const hooks: ToolHook[] = [
      {
        name: "all",
        beforeToolUse: () => ({
          call: { name: "echo", args: { a: 2 } },
          block: undefined,
          patch: { p: 1 },
          stop: { reason: "completed", message: "", context: {}, source: "all" },
        }),
        afterToolUse: async () => ({ replace: { value: 3 }, patch: () => ({ q: 2 }) }),
      },
      { name: "none", beforeToolUse() {}, async afterToolUse() {} },
    ];
    const batch = executorOf([echo], { hooks }).open(batchContext(), parallel);
    batch.add(call("echo"));
    expect(await batch.run()).toMatchObject([{ value: 3 }]);
    expect(batch.metadata).toEqual({ p: 1, q: 2 });
    expect(batch.stop).toMatchObject({ source: "all" });
  });
});
