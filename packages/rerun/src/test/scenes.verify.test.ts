import { logOf } from "@tooling/conversations";
import { recordScene } from "@tooling/conversations/record-scene";
import { scenes } from "@tooling/conversations/scenes";
import { expect, it } from "vitest";
import { checkPlan } from "./check-plan.ts";
import { planOf } from "./plan-of.ts";

it.concurrent.each(scenes)("$name", async (scene) => {
  const log = logOf(await recordScene(scene, { recordRequests: true }));
  const plan = planOf(log, { hasAgent: false, runsTools: false, turns: undefined });
  await checkPlan(plan, undefined, false);
  expect(plan.turns.length).toBeGreaterThan(0);
});
