import { logOf, recordedConversations } from "@tooling/conversations";
import { expect, it } from "vitest";
import { checkPlan } from "./check-plan.ts";
import { planOf } from "./plan-of.ts";

const withRequests = recordedConversations.filter((one) =>
  logOf(one).some((event) => event.type === "record" && event.kind === "request"),
);

it.each(withRequests)("$name becomes a test that passes", async (conversation) => {
  const plan = planOf(logOf(conversation), { hasAgent: false, runsTools: false, turns: undefined });
  await checkPlan(plan, undefined, false);
  expect(plan.turns.length).toBeGreaterThan(0);
});
