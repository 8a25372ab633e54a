import { acceptedSteps, type Plan, planOf, planTool, presentTool, readPlan } from "@cogency/plan/log";
import type { LogEvent, RunEvent } from "@cogency/protocol";

/** What a call has made of the plan. */
export interface PlanUpdate {
  readonly plan: Plan;
  readonly before: Plan | undefined;
}

/** Follows the plan of a conversation through the events of its runs. */
export class PlanTracker {
  plan: Plan | undefined;

  /** The plan at the end of a log. */
  static of(log: readonly LogEvent[]): PlanTracker {
    const tracker = new PlanTracker();
    tracker.plan = planOf(log);
    return tracker;
  }

  /** Reads an event. Returns what it has changed; undefined for most. */
  event(event: RunEvent): PlanUpdate | undefined {
    if (event.type !== "tool_ended") return undefined;
    const plan = planIn(event);
    if (plan === undefined) return undefined;
    const { plan: before } = this;
    this.plan = plan;
    return { plan, before };
  }
}

/** The plan that stands after a call; undefined if the call does not change it. */
function planIn({ name, args, outcome, result }: RunEvent & { type: "tool_ended" }): Plan | undefined {
  if (outcome !== "success") return undefined;
  if (name === planTool) {
    const plan = readPlan(args);
    return typeof plan === "string" ? undefined : plan;
  }
  const { accepted } = (result.content ?? {}) as { accepted?: unknown };
  if (name !== presentTool || accepted !== true) return undefined;
  const steps = acceptedSteps(args?.steps);
  return steps.length === 0 ? undefined : { steps: steps.map((step) => ({ step, state: "open" })) };
}
