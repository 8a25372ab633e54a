import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchContext, freeTool, parallel, sequential } from "../../test/support/fixtures.ts";
import { createExecutor } from "../create-executor.ts";
import { createRegistry } from "../registry.ts";
import { toToolResult } from "../result/tool-result.ts";
import type { Approval, ApprovalRequest } from "./approval.ts";

function setup(approval: Approval | undefined) {
  const ran: string[] = [];
  const body = (name: string) => () => {
    ran.push(name);
    return name;
  };
  const registry = createRegistry([
    freeTool("look", body("look"), { annotations: { readOnlyHint: true } }),
    freeTool("touch", body("touch")),
    freeTool("wipe", body("wipe"), { annotations: { destructiveHint: true } }),
    freeTool("save", body("save"), { resource: () => ["file:a"] }),
    freeTool("load", body("load"), { resource: () => ["file:a"], annotations: { readOnlyHint: true } }),
  ]);
  return { ran, executor: createExecutor({ registry, approval }) };
}

const calls = (...names: string[]) => names.map((name) => ({ name, args: {} }));

describe("approval", () => {
  it("allows everything if the host sets none", async () => {
    const { executor } = setup(undefined);
    const executions = await executor.run(calls("look", "wipe"), batchContext(), parallel);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "success"]);
  });

  it("by default lets read-only tools run and asks for the others", async () => {
    const asked: string[] = [];
    const approve = async ({ call, tool }: ApprovalRequest) => {
      asked.push(`${call.name} ${tool.name}`);
      return true;
    };
    const { executor, ran } = setup({ approve });
    await executor.run(calls("look", "touch", "wipe"), batchContext(), sequential);
    expect(asked).toEqual(["touch touch", "wipe wipe"]);
    expect(ran).toEqual(["look", "touch", "wipe"]);
  });

  it("follows the policy of the host", async () => {
    const decisions = { look: "deny", touch: "allow", wipe: "ask" } as const;
    const { executor, ran } = setup({
      policy: ({ name }) => decisions[name as keyof typeof decisions],
      approve: async () => true,
    });
    const executions = await executor.run(calls("look", "touch", "wipe"), batchContext(), sequential);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["denied", "success", "success"]);
    expect(ran).toEqual(["touch", "wipe"]);
  });

  it("shows the model that the call was refused, and why", async () => {
    const { executor } = setup({ approve: async () => ({ approved: false, reason: "not on a Friday" }) });
    const [execution] = await executor.run(calls("wipe"), batchContext(), parallel);
    expect(execution).toMatchObject({
      outcome: "denied",
      started: false,
      settled: true,
      error: { code: "denied", tool: "wipe", reason: "not on a Friday" },
    });
    expect(execution && toToolResult(execution)).toEqual({
      tool: "wipe",
      status: "failure",
      content: "wipe was refused and did not run: not on a Friday",
    });
  });

  it.each<[string, Approval]>([
    ["nobody is there to answer", {}],
    ["the answer is false", { approve: async () => false }],
    ["the answer is missing", { approve: async () => undefined as never }],
    ["the answer is only truthy", { approve: async () => "yes" as never }],
    ["the answer is an object that only looks like approval", { approve: async () => ({ approved: "yes" }) as never }],
    ["asking fails", { approve: () => Promise.reject(new Error("closed")) }],
    [
      "asking throws at once",
      {
        approve: () => {
          throw new Error("closed");
        },
      },
    ],
    ["nobody answers in time", { approve: () => new Promise<never>(() => {}), timeout: 5 }],
    [
      "the policy throws",
      {
        policy: () => {
          throw new Error("bug");
        },
        approve: async () => true,
      },
    ],
    ["the policy answers something else", { policy: () => "sure" as never, approve: async () => true }],
    [
      "the policy answers with a promise",
      { policy: () => Promise.resolve("allow") as never, approve: async () => true },
    ],
    [
      // An unhandled rejection would fail this run.
      "the policy answers with a promise that rejects",
      { policy: () => Promise.reject(new Error("bug")) as never, approve: async () => true },
    ],
    ["the reason is no text", { approve: async () => ({ approved: false, reason: Symbol("no") as never }) }],
  ])("denies a call when %s", async (_, approval) => {
    const { executor, ran } = setup(approval);
    const [execution] = await executor.run(calls("touch"), batchContext(), parallel);
    expect(execution).toMatchObject({ outcome: "denied", started: false });
    expect(ran).toEqual([]);
  });

  it("puts no question about unknown or invalid calls", async () => {
    const asked: string[] = [];
    const { executor } = setup({ approve: async ({ call }) => asked.push(call.name) > 0 });
    const hostile = { name: "touch", args: JSON.parse('{"__proto__":1}') };
    const executions = await executor.run([...calls("nothing"), hostile], batchContext(), parallel);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["failure", "failure"]);
    expect(asked).toEqual([]);
  });

  it("asks one question at a time, in call order", async () => {
    let open = 0;
    const asked: unknown[] = [];
    const approve = async ({ call }: ApprovalRequest) => {
      open += 1;
      expect(open).toBe(1);
      asked.push(call.args.n);
      await delay(2);
      open -= 1;
      return true;
    };
    const { executor } = setup({ approve });
    const numbered = Array.from({ length: 10 }, (_, n) => ({ name: "touch", args: { n } }));
    await executor.run(numbered, batchContext(), parallel);
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("does not delay calls that need no approval", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { executor } = setup({ approve: () => promise });
    const batch = executor.open(
      batchContext({
        journal: {
          question() {},
          approval: () => {},
          started: () => {},
          finished: ({ call }) => resolve(call.name === "look"),
        },
      }),
      parallel,
    );
    for (const call of calls("touch", "look")) batch.add(call);
    // The question is answered only once `look` has finished.
    expect((await batch.run()).map(({ outcome }) => outcome)).toEqual(["success", "success"]);
  });

  it("keeps the order of calls that share a resource while one of them waits for approval", async () => {
    const { executor, ran } = setup({ approve: () => delay(20, true) });
    await executor.run(calls("save", "load"), batchContext(), parallel);
    expect(ran).toEqual(["save", "load"]);
  });

  it("lets no call overtake an earlier one because the call between them was denied", async () => {
    const order: string[] = [];
    const resource = () => ["file:a"];
    const slowSave = async () => {
      await delay(20);
      order.push("saved");
    };
    const registry = createRegistry([
      freeTool("save", slowSave, { resource }),
      freeTool("refused", () => null, { resource }),
      freeTool("load", () => order.push("loaded"), { resource, annotations: { readOnlyHint: true } }),
    ]);
    const executor = createExecutor({
      registry,
      approval: { policy: ({ name }) => (name === "refused" ? "deny" : "allow") },
    });
    const executions = await executor.run(calls("save", "refused", "load"), batchContext(), parallel);
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "denied", "success"]);
    expect(order).toEqual(["saved", "loaded"]);
  });

  it("aborts the question's signal when the run is cancelled, and puts no further question", async () => {
    const user = new AbortController();
    const asked: AbortSignal[] = [];
    const approve = ({ signal }: ApprovalRequest) => {
      asked.push(signal);
      user.abort(new Error("stop"));
      return new Promise<never>(() => {});
    };
    const { executor, ran } = setup({ approve });
    const executions = await executor.run(calls("touch", "wipe"), batchContext({ signal: user.signal }), parallel);
    expect(executions).toMatchObject([
      { outcome: "cancelled", started: false },
      { outcome: "cancelled", started: false },
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.reason).toEqual(new Error("stop"));
    expect(ran).toEqual([]);
  });
});
