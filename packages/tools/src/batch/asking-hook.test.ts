import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool } from "../../test/support/fixtures.ts";
import type { ApprovalDecision, ToolHook } from "../index.ts";

const wary: ToolHook = { name: "wary", beforeToolUse: () => ({ ask: "It is Friday." }) };

describe("a hook that asks", () => {
  const decisions: readonly (readonly [ApprovalDecision, asked: readonly string[]])[] = [
    ["allow", ["It is Friday."]],
    ["allow_anyway", ["It is Friday."]],
    ["ask", ["It is Friday."]],
    ["deny", []],
  ];
  it.each(decisions)("puts a question where the policy says %s, except where it denies", async (decision, expected) => {
    const asked: string[] = [];
    const ran: unknown[] = [];
    const executor = executorOf([freeTool("wipe", () => ran.push(1))], {
      hooks: [wary],
      approval: {
        policy: () => decision,
        approve: ({ concerns }) => asked.push(...concerns.map(({ why }) => why)) < 0,
      },
    });
    await executor.run([{ name: "wipe", args: {} }], batchContext());
    expect([asked, ran]).toEqual([expected, []]);
  });

  it("denies where nobody can be asked", async () => {
    const executor = executorOf([freeTool("wipe", () => "wiped")], { hooks: [wary] });
    const [execution] = await executor.run([{ name: "wipe", args: {} }], batchContext());
    expect([execution?.outcome, execution?.error?.message]).toEqual([
      "denied",
      expect.stringContaining("It is Friday."),
    ]);
  });

  it.each([[""], [" "], [1]])("breaks its contract with %j", async (ask) => {
    const executor = executorOf([freeTool("wipe", () => "wiped")], {
      hooks: [{ name: "odd", beforeToolUse: () => ({ ask }) as never }],
    });
    await expect(executor.run([{ name: "wipe", args: {} }], batchContext())).rejects.toMatchObject({
      code: "hook_contract",
    });
  });
});
