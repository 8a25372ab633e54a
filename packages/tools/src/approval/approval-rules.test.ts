import { describe, expect, it } from "vitest";
import { batchContext, executorOf } from "../../test/support/fixtures.ts";
import { defineTool } from "../define-tool.ts";
import type { Approval, ApprovalRules, ToolAnnotations } from "../index.ts";
import type { ApprovalDecision } from "./approval.ts";

function tool(annotations: ToolAnnotations, approval?: "allow" | "ask" | "deny") {
  return defineTool({
    name: "t",
    description: "t",
    input: { type: "object" },
    annotations,
    approval,
    execute: () => 1,
  });
}

/** What becomes of a call of the tool: it ran, somebody was asked, or it was denied. */
async function decisionOf(approval: Omit<Approval, "approve"> | undefined, given: ReturnType<typeof tool>) {
  let isAsked = false;
  const approve = async () => {
    isAsked = true;
    return true;
  };
  const executor = executorOf([given], approval && { approval: { ...approval, approve } });
  const [execution] = await executor.run([{ name: "t", args: {} }], batchContext());
  if (isAsked) return "ask";
  return execution?.outcome === "success" ? "allow" : "deny";
}

const reads = { readOnlyHint: true };
const destroys = { readOnlyHint: false, destructiveHint: true };

const cases: [
  rules: ApprovalRules | undefined,
  annotations: ToolAnnotations,
  own: "allow" | "ask" | "deny" | undefined,
  ApprovalDecision,
][] = [
  // Without rules.
  [undefined, reads, undefined, "allow"],
  [undefined, destroys, undefined, "ask"],
  [undefined, {}, undefined, "ask"],
  [undefined, reads, "ask", "ask"],
  [undefined, reads, "deny", "deny"],
  // Its own word counts where the host has none.
  [undefined, {}, "allow", "allow"],
  [{ otherwise: "deny" }, {}, "allow", "deny"],
  [{ annotations: { destructiveHint: "ask" } }, destroys, "allow", "ask"],
  [{ tools: { t: "deny" } }, {}, "allow", "deny"],
  // By name: before everything else.
  [{ tools: { t: "deny" } }, reads, undefined, "deny"],
  [{ tools: { t: "allow" }, annotations: { destructiveHint: "deny" } }, destroys, "ask", "allow"],
  [{ tools: { t: () => "ask" } }, reads, undefined, "ask"],
  [{ tools: { other: "deny" } }, reads, undefined, "allow"],
  // By annotation: the strictest of those that the tool claims.
  [{ annotations: { destructiveHint: "deny" } }, destroys, undefined, "deny"],
  [{ annotations: { destructiveHint: "deny" } }, { destructiveHint: false }, undefined, "ask"],
  [
    { annotations: { readOnlyHint: "allow", openWorldHint: "ask" } },
    { ...reads, openWorldHint: true },
    undefined,
    "ask",
  ],
  [{ annotations: { readOnlyHint: "allow" } }, reads, "ask", "ask"],
  [{ annotations: { destructiveHint: "deny" } }, destroys, "ask", "deny"],
  [{ tools: { t: () => "never" as "deny" } }, reads, undefined, "deny"],
  // Otherwise.
  [{ otherwise: "deny" }, reads, undefined, "deny"],
  [{ otherwise: "allow" }, destroys, undefined, "allow"],
  [{ otherwise: "allow" }, destroys, "ask", "ask"],
  [{ annotations: { readOnlyHint: "allow" }, otherwise: "deny" }, reads, undefined, "allow"],
];

describe("the rules of approval", () => {
  it.each(cases)("%j, a tool that says %j and %j: %s", async (policy, annotations, own, decision) => {
    expect(await decisionOf({ policy }, tool(annotations, own))).toBe(decision);
  });

  it("does not find a rule for a tool with the name of a property of every object", async () => {
    const odd = defineTool({ name: "toString", description: "t", input: { type: "object" }, execute: () => 1 });
    const approval = { policy: { tools: {}, otherwise: "allow" as const } };
    const [execution] = await executorOf([odd], { approval }).run([{ name: "toString", args: {} }], batchContext());
    expect(execution?.outcome).toBe("success");
  });

  it.each([
    ["ask", "deny"],
    ["deny", "deny"],
    [undefined, "allow"],
  ] as const)("a host without approval: a tool that says %j of itself is %s", async (own, decision) => {
    expect(await decisionOf(undefined, tool({}, own))).toBe(decision);
  });
});
