import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { batchContext, echo, executorOf, freeTool, parallel, sequential } from "../test/support/fixtures.ts";
import { defineTool } from "./define-tool.ts";
import { toToolResult } from "./result/tool-result.ts";
import type { ToolContext } from "./tool.ts";

describe("an executor", () => {
  it.each([0, -1, Number.NaN])("refuses an approval timeout of %s ms", (timeout) => {
    expect(() => executorOf([echo], { approval: { timeout } })).toThrow(`\`timeout\` is ${timeout}`);
  });

  it("gives a body the grace of its tool after its signal has aborted", async () => {
    const user = new AbortController();
    const slow = (grace: number) =>
      defineTool({
        name: `slow${grace}`,
        description: "ends 120 ms after it is told to",
        input: { type: "object" },
        grace,
        execute: (_, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => setTimeout(() => reject(signal.reason), 120));
          }),
      });
    const run = executorOf([slow(0), slow(400)]).run(
      ["slow0", "slow400"].map((name) => ({ name, args: {} })),
      batchContext({ signal: user.signal }),
    );
    setTimeout(() => user.abort(), 10);
    expect((await run).map(({ outcome, settled }) => [outcome, settled])).toEqual([
      ["cancelled", false],
      ["cancelled", true],
    ]);
    expect(() => slow(500)).toThrow("grace is 500; give 0 to 400 milliseconds");
  });

  it("gives one execution per call, in call order, whatever fails", async () => {
    const tools = [
      freeTool("slow", () => delay(20, "slow")),
      freeTool("fails", () => Promise.reject(new Error("no such file"))),
      defineTool({ name: "strict", description: "Strict", input: z.object({ n: z.int() }), execute: ({ n }) => n }),
    ];
    const calls = ["slow", "fails", "nope", "strict", "slow"].map((name) => ({ name, args: {} }));
    const executions = await executorOf(tools).run(calls, batchContext(), parallel);
    expect(executions.map(({ call }) => call.name)).toEqual(["slow", "fails", "nope", "strict", "slow"]);
    expect(executions).toMatchObject([
      { outcome: "success", value: "slow", started: true, settled: true },
      { outcome: "failure", started: true, error: { message: "no such file" } },
      { outcome: "failure", started: false, error: { code: "unknown_tool", available: ["slow", "fails", "strict"] } },
      { outcome: "failure", started: false, error: { code: "invalid_arguments", issues: [{ path: "n" }] } },
      { outcome: "success", value: "slow" },
    ]);
  });

  it("returns no executions for no calls", async () => {
    expect(await executorOf([]).run([], batchContext(), parallel)).toEqual([]);
  });

  it("runs ten thousand calls in one batch", async () => {
    const calls = Array.from({ length: 10_000 }, (_, n) => ({ name: "echo", args: { n } }));
    const executions = await executorOf([echo], { concurrency: 4 }).run(calls, batchContext(), parallel);
    expect(executions.map(({ value }) => value)).toEqual(calls.map(({ args }) => args));
  });

  it("runs side by side in parallel mode, one after another in sequential mode", async () => {
    let running = 0;
    let most = 0;
    const tool = freeTool("work", async () => {
      running += 1;
      most = Math.max(most, running);
      await delay(5);
      running -= 1;
    });
    const calls = Array.from({ length: 5 }, () => ({ name: "work", args: {} }));
    await executorOf([tool]).run(calls, batchContext(), sequential);
    expect(most).toBe(1);
    await executorOf([tool], { concurrency: 2 }).run(calls, batchContext(), parallel);
    expect(most).toBe(2);
    await executorOf([tool]).run(calls, batchContext(), parallel);
    expect(most).toBe(5);
  });

  it.each([
    ["parallel", parallel],
    ["sequential", sequential],
  ])("reads what an earlier call of the batch wrote (%s)", async (_, mode) => {
    let content = "old";
    const write = freeTool(
      "write",
      async ({ text }) => {
        await delay(10);
        content = String(text);
      },
      { resource: () => ["file:config.json"] },
    );
    const read = freeTool("read", () => content, {
      resource: () => ["file:config.json"],
      annotations: { readOnlyHint: true },
    });
    const calls = [
      { name: "read", args: {} },
      { name: "write", args: { text: "new" } },
      { name: "read", args: {} },
    ];
    const executions = await executorOf([write, read]).run(calls, batchContext(), mode);
    expect(executions.map(({ value }) => value)).toEqual(["old", undefined, "new"]);
  });

  it("keeps the id of a call, and mints one if it is missing, malformed or taken", async () => {
    const given = ["mine", undefined, "", "mine", "a b", "x".repeat(41), "line\n", 5 as never, "x".repeat(40)];
    const calls = given.map((id) => ({ name: "echo", args: {}, ...(id === undefined ? {} : { id }) }));
    const executions = await executorOf([echo]).run(calls, batchContext(), parallel);
    expect(executions[0]).toMatchObject({ id: "mine", call: { id: "mine" } });
    expect(executions.at(-1)).toMatchObject({ id: "x".repeat(40) });
    for (const { id, call } of executions.slice(1, -1)) {
      expect(id).toMatch(/^call_[A-Za-z0-9]{20}$/);
      expect(call.id).toBe(id);
    }
  });

  it.each<[string, unknown]>([
    ["string", "str"],
    ["number", 5],
    ["array", [1, 2]],
    ["null", null],
    ["undefined", undefined],
    ["an instance of a class", new Map()],
  ])("refuses arguments that are not an object but %s", async (received, args) => {
    const [execution] = await executorOf([echo]).run([{ name: "echo", args: args as never }], batchContext(), parallel);
    expect(execution).toMatchObject({
      outcome: "failure",
      started: false,
      error: { code: "invalid_arguments", issues: [{ path: "", message: `expected an object, received ${received}` }] },
    });
  });

  it("never lets a tool change the logged call", async () => {
    const seen: unknown[] = [];
    const tool = freeTool("careless", (args, { call }) => {
      (args.list as unknown[]).push("changed");
      seen.push(() => Object.assign(call.args, { list: [] }));
    });
    const given = { name: "careless", args: { list: ["a"] } };
    const [execution] = await executorOf([tool]).run([given], batchContext(), parallel);
    expect(execution?.call.args).toEqual({ list: ["a"] });
    expect(given.args).toEqual({ list: ["a"] });
    expect(seen[0]).toThrow(TypeError);
  });

  it("gives the tool its context", async () => {
    let context: ToolContext | undefined;
    const tool = freeTool("look", (_, given) => {
      context = given;
    });
    const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const surroundings = batchContext({ state: { events: [], metadata: { a: 1 }, step: 3, usage } });
    await executorOf([tool]).run([{ name: "look", args: {}, id: "x" }], surroundings, parallel);
    expect(context).toMatchObject({ call: { name: "look", id: "x" }, conversation: "c1", user: "u1" });
    expect(context?.state).toEqual(surroundings.state);
    expect(context?.signal.aborted).toBe(false);
  });

  it("coerces arguments in the mode of the batch", async () => {
    const input = z.object({ list: z.array(z.int()), size: z.number() });
    const tool = defineTool({ name: "t", description: "T", input, execute: (args) => args });
    const call = { name: "t", args: { list: "[1]", size: "2" } };
    const executor = executorOf([tool]);
    expect(await executor.run([call], batchContext(), { mode: "sequential", coerce: "lexical" })).toMatchObject([
      { value: { list: [1], size: 2 } },
    ]);
    expect(await executor.run([call], batchContext(), parallel)).toMatchObject([
      { outcome: "failure", error: { issues: [{ path: "size" }] } },
    ]);
  });

  it.each<[string, () => unknown, object]>([
    [
      "throws at once",
      () => {
        throw new RangeError("sync");
      },
      { message: "sync", name: "RangeError" },
    ],
    [
      "rejects",
      async () => {
        throw new Error("async");
      },
      { message: "async" },
    ],
    [
      "throws a string",
      () => {
        throw "just text";
      },
      { message: "just text", code: "threw", cause: "just text" },
    ],
    [
      "throws nothing",
      () => {
        throw undefined;
      },
      { message: "odd threw undefined.", code: "threw" },
    ],
    ["throws a number", () => Promise.reject(42), { message: "odd threw 42.", code: "threw", cause: 42 }],
    ["throws null", () => Promise.reject(null), { message: "odd threw null.", code: "threw" }],
    ["throws false", () => Promise.reject(false), { message: "odd threw false.", code: "threw" }],
    ["throws a symbol", () => Promise.reject(Symbol("no")), { message: "odd threw Symbol(no).", code: "threw" }],
    ["throws a bigint", () => Promise.reject(7n), { message: "odd threw 7n.", code: "threw" }],
    ["throws an empty text", () => Promise.reject(""), { message: 'odd threw "".', code: "threw" }],
    ["throws a list", () => Promise.reject([1]), { message: "odd threw an array.", code: "threw" }],
    ["throws an empty object", () => Promise.reject({}), { message: "odd threw an object.", code: "threw" }],
    [
      "throws an object",
      () => Promise.reject({ status: 500, code: "E_BAD", token: "s3cret", body: { a: 1 } }),
      { code: "threw", message: 'odd threw {"status": 500, "code": "E_BAD", "token": …, "body": …}.' },
    ],
    [
      "throws what resembles an error",
      () => Promise.reject({ message: "from afar" }),
      { code: "threw", message: "from afar" },
    ],
    [
      "throws what resembles an error but cannot be read",
      () => {
        throw {
          get message() {
            throw new Error("trap");
          },
        };
      },
      { code: "threw", message: "odd failed without a message." },
    ],
    [
      "throws a revoked proxy",
      () => {
        throw revoked();
      },
      { code: "threw", message: "odd failed without a message." },
    ],
    [
      "throws an error whose message cannot be read",
      () => {
        throw Object.defineProperty(new Error(), "message", {
          get() {
            throw new Error("trap");
          },
        });
      },
      { code: "threw", message: "odd failed without a message." },
    ],
    ["returns a revoked proxy", revoked, { name: "TypeError" }],
    [
      "returns what cannot be touched",
      () =>
        new Proxy(
          {},
          {
            get() {
              throw new Error("trap");
            },
          },
        ),
      { message: "trap" },
    ],
  ])("returns a failure for a tool that %s", async (_, execute, error) => {
    // An unhandled rejection would fail this run.
    const [execution, next] = await executorOf([freeTool("odd", execute), echo]).run(
      [
        { name: "odd", args: {} },
        { name: "echo", args: {} },
      ],
      batchContext(),
      parallel,
    );
    expect(execution).toMatchObject({ outcome: "failure", settled: true, started: true, error });
    expect(execution?.error).toBeInstanceOf(Error);
    expect(inspect(execution)).toContain("failure");
    expect(execution && toToolResult(execution).content).toBe(execution?.error?.message);
    expect(next).toMatchObject({ outcome: "success" });
  });

  it("fails a call whose `resource` throws", async () => {
    const tool = freeTool("t", () => "ran", {
      resource: () => {
        throw new Error("outside the root");
      },
    });
    const executions = await executorOf([tool, echo]).run(
      [
        { name: "t", args: {} },
        { name: "echo", args: {} },
      ],
      batchContext(),
      parallel,
    );
    expect(executions).toMatchObject([
      { outcome: "failure", started: false, error: { message: "outside the root" } },
      { outcome: "success" },
    ]);
  });

  it("refuses hostile arguments, however deep they are", async () => {
    let deep: unknown[] = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const calls = [
      { name: "echo", args: { deep } as never },
      { name: "echo", args: JSON.parse('{"list":[{"__proto__":{"polluted":true}}]}') },
    ];
    const executions = await executorOf([echo]).run(calls, batchContext(), parallel);
    expect(executions).toMatchObject([
      {
        outcome: "failure",
        error: { code: "invalid_arguments", issues: [{ message: "nested deeper than 256 levels" }] },
      },
      { outcome: "failure", error: { code: "invalid_arguments", issues: [{ path: "list[0].__proto__" }] } },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["a bigint", 1n, "expected JSON, received bigint"],
    ["a function", () => 1, "expected JSON, received function"],
    ["what is no number", Number.NaN, "expected JSON, received NaN"],
    ["an instance of a class", new Date(), "expected JSON, received an instance of a class"],
  ])("refuses arguments that hold %s, whose approval could not be bound to them", async (_, value, message) => {
    const executor = executorOf([echo], { approval: { policy: () => "ask", approve: async () => true } });
    const calls = [
      { name: "echo", args: { list: [value] } as never },
      { name: "echo", args: {} },
    ];
    expect(await executor.run(calls, batchContext(), parallel)).toMatchObject([
      { outcome: "failure", error: { code: "invalid_arguments", issues: [{ path: "list[0]", message }] } },
      { outcome: "success" },
    ]);
  });

  it("reports the error with which an asynchronous `resource` rejects", async () => {
    const tool = { ...echo, resource: () => Promise.reject(new Error("outside the root")) };
    const [execution] = await executorOf([tool]).run([{ name: "echo", args: {} }], batchContext(), parallel);
    expect(execution).toMatchObject({ outcome: "failure", started: false, error: { message: "outside the root" } });
  });

  it("counts an argument that is undefined as absent", async () => {
    const [execution] = await executorOf([echo]).run(
      [{ name: "echo", args: { a: 1, b: undefined } as never }],
      batchContext(),
      parallel,
    );
    expect(execution?.call.args).toStrictEqual({ a: 1 });
  });

  it("refuses a concurrency that is not a whole number", () => {
    expect(() => executorOf([], { concurrency: 1.5 })).toThrow(RangeError);
    expect(() => executorOf([], { concurrency: Number.POSITIVE_INFINITY })).not.toThrow();
  });

  it.each([0, -1, Number.NaN])("refuses a concurrency or a timeout of %d", (number) => {
    expect(() => executorOf([], { concurrency: number })).toThrow(RangeError);
    expect(() => executorOf([], { timeout: number })).toThrow(RangeError);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
