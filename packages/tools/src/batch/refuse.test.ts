import { describe, expect, it } from "vitest";
import { createExecutor } from "../create-executor.ts";
import { defineTool } from "../define-tool.ts";
import { createRegistry } from "../registry.ts";
import type { ToolState } from "../tool.ts";

const ran: string[] = [];
const tools = ["one", "two"].map((name) =>
  defineTool({ name, description: "d", input: { type: "object" }, execute: () => void ran.push(name) }),
);
const registry = createRegistry(tools);
const refuse = (name: string) => (name === "two" ? { by: "host", reason: "not now" } : undefined);
const calls = [
  { name: "one", args: {} },
  { name: "two", args: {} },
];

describe("BatchContext.refuse", () => {
  it("blocks the calls of the tools that it names, and the others run", async () => {
    ran.length = 0;
    const executions = await createExecutor({ registry }).run(calls, { conversation: "c", refuse });
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "blocked"]);
    expect(executions[1]?.error).toMatchObject({ code: "blocked", hook: "host" });
    expect(ran).toEqual(["one"]);
  });

  it("is asked about the name that a hook has given the call", async () => {
    ran.length = 0;
    const hooks = [{ name: "h", beforeToolUse: () => ({ call: { name: "two" } }) }];
    const executions = await createExecutor({ registry, hooks }).run(calls, { conversation: "c", refuse });
    expect(executions.map(({ outcome }) => outcome)).toEqual(["blocked", "blocked"]);
    expect(ran).toEqual([]);
  });

  it("leaves a name that no tool has to the error that says which tools may run now", async () => {
    const unknown = [{ name: "three", args: {} }];
    const [execution] = await createExecutor({ registry }).run(unknown, {
      conversation: "c",
      refuse: (name) => (name === "one" ? undefined : { by: "host", reason: "not now" }),
    });
    expect(execution).toMatchObject({ outcome: "failure", error: { code: "unknown_tool" } });
    expect(execution?.error?.message).toMatch(/Available tools: one\.$/);
  });

  it("counts for `stopOnToolBlock`", async () => {
    const executor = createExecutor({ registry, stopOnToolBlock: true });
    const executions = await executor.run(calls.toReversed(), { conversation: "c", refuse });
    expect(executions.map(({ outcome }) => outcome)).toEqual(["blocked", "skipped"]);
  });

  it("that throws fails the call, which does not run", async () => {
    ran.length = 0;
    const failing = () => {
      throw new Error("no list");
    };
    const [execution] = await createExecutor({ registry }).run(calls, { conversation: "c", refuse: failing });
    expect(execution).toMatchObject({ outcome: "failure", error: { message: "no list" } });
    expect(ran).toEqual([]);
  });

  it("is refused if it is no function", () => {
    expect(() => createExecutor({ registry }).open({ conversation: "c", refuse: true as never })).toThrow(TypeError);
  });
});

describe("the state given to `run`", () => {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const state: ToolState = { events: [], metadata: { a: 1 }, step: 1, usage };

  it.each(["parallel", "sequential"] as const)(
    "is what hooks and tools see, and patches add to it (%s)",
    async (mode) => {
      const seen: unknown[] = [];
      const hook = {
        name: "h",
        beforeToolUse: ({ state }: { state: ToolState }) => {
          seen.push(state.metadata);
          return { patch: { patched: true } };
        },
      };
      const batch = createExecutor({ registry, hooks: [hook] }).open({ conversation: "c", state }, { mode });
      batch.add({ name: "one", args: {} });
      await batch.run({ ...state, metadata: { b: 2 } });
      expect(seen).toEqual([{ b: 2 }]);
      expect(batch.metadata).toEqual({ b: 2, patched: true });
    },
  );
});
