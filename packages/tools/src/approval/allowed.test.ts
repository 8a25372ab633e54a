import { describe, expect, it } from "vitest";
import { createExecutor } from "../create-executor.ts";
import { defineTool } from "../define-tool.ts";
import { createRegistry } from "../registry.ts";
import type { Allowed } from "./allowed.ts";
import type { Approval } from "./approval.ts";

const toolOf = (options: object = {}) =>
  defineTool({ name: "act", description: "Acts.", input: { type: "object" }, execute: () => "done", ...options });

/** What the journal hears of why the one call began. */
async function allowedBy(approval: Approval | undefined, options: object = {}): Promise<Allowed | undefined | "never"> {
  let heard: Allowed | undefined | "never" = "never";
  const executor = createExecutor({ registry: createRegistry([toolOf(options)]), approval });
  await executor.run([{ name: "act", args: {} }], {
    conversation: "c",
    journal: {
      question() {},
      approval() {},
      started(_call, _requested, _brings, allowed) {
        heard = allowed;
      },
      finished() {},
    },
  });
  return heard;
}

describe("why a call might run", () => {
  it.each<[what: string, approval: Approval | undefined, tool: object, allowed: Allowed]>([
    ["a tool that only reads", undefined, { annotations: { readOnlyHint: true } }, { by: "read-only" }],
    ["a tool that the host trusts", undefined, {}, { by: "tool" }],
    ["a policy that says no more", { policy: () => "allow" }, {}, { by: "policy" }],
    [
      "a policy that names its rule",
      { policy: () => ({ decision: "allow", rule: "act:*", from: "rules.json" }) },
      {},
      { by: "rule", rule: "act:*", from: "rules.json" },
    ],
    [
      "a policy in a mode",
      { policy: () => ({ decision: "allow", by: "mode", rule: "yes" }) },
      {},
      { by: "mode", rule: "yes" },
    ],
    ["a rule by the tool's name", { policy: { tools: { act: "allow" } } }, {}, { by: "rule", rule: "tools.act" }],
    [
      "a rule by an annotation",
      { policy: { annotations: { idempotentHint: "allow" } } },
      { annotations: { idempotentHint: true } },
      { by: "rule", rule: "annotations.idempotentHint" },
    ],
    ["the rule for all others", { policy: { otherwise: "allow" } }, {}, { by: "rule", rule: "otherwise" }],
  ])("is %s", async (_, approval, tool, allowed) => {
    expect(await allowedBy(approval, tool)).toEqual(allowed);
  });

  it("is the answer of a person, with the question", async () => {
    const allowed = await allowedBy({ approve: () => true });
    expect(allowed).toEqual({ by: "approval", question: expect.stringMatching(/^[\da-f-]{36}$/) });
  });

  it("is a plain policy for a name that is none, which decides nothing", async () => {
    const policy = () => ({ decision: "allow", by: "magic", rule: 7 }) as never;
    expect(await allowedBy({ policy })).toEqual({ by: "policy" });
  });

  it("is nothing for a call that a policy denies, also by a decision that is none", async () => {
    expect(await allowedBy({ policy: () => ({ decision: "deny", rule: "no" }) })).toBe("never");
    expect(await allowedBy({ policy: () => ({ decision: "perhaps" }) as never })).toBe("never");
  });
});
