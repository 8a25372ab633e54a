import { type Plan, type PlanStep, planText, planTool, presentTool, progressOf, readPlan } from "@cogency/plan/log";
import type { JsonObject } from "@cogency/protocol";
import { excerpt } from "../conversation/format.ts";
import { visible } from "../text.ts";
import { tag } from "./tag.ts";

const signs = { open: "○", now: "▸", done: "✓", dropped: "–" } as const satisfies Record<PlanStep["state"], string>;

/** The steps of the plan as they stand; nothing without a plan. */
export function planView(plan: Plan | undefined): HTMLElement[] {
  if (plan === undefined || plan.steps.length === 0) return [];
  const rows = plan.steps.map(({ step, state }) =>
    tag(
      "li",
      { class: `plan-step ${state}`, "aria-current": state === "now" && "step" },
      tag("span", { class: "sign", role: "img", "aria-label": state }, signs[state]),
      tag("span", {}, visible(step)),
    ),
  );
  const { done, total } = progressOf(plan);
  return [
    tag("h2", {}, "Plan ", tag("span", { class: "fact" }, `${done} of ${total}`)),
    tag("ol", { class: "plan-steps" }, ...rows),
    ...(plan.note === undefined ? [] : [tag("p", { class: "fact" }, visible(plan.note))]),
  ];
}

/** What a call of the tools for plans is about, on one line; undefined for other calls. */
export function planGist(name: string, args: JsonObject | undefined): string | undefined {
  if (name === presentTool && typeof args?.plan === "string") return visible(excerpt(args.plan, 120));
  const plan = name === planTool ? readPlan(args) : undefined;
  return plan === undefined || typeof plan === "string" ? undefined : visible(planText(plan));
}
