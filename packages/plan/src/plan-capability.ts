import type { Capability } from "@cogency/agent";
import { defineTool, type Tool } from "@cogency/tools";
import { readPlan, stepStates } from "./plan.ts";
import { planHistory } from "./plan-history.ts";
import { planTool } from "./tool-names.ts";

/**
 * A plan as a capability of an agent: `createAgent(…).use(plan())`. The model keeps a list of steps with the tool `plan`, which needs no
 * permission and changes nothing else. `planOf` reads the plan from the log. A request holds one plan, whatever the number of updates.
 */
export function plan(): Capability<Tool<"plan">> {
  return { name: "plan", tools: [tool()], history: planHistory };
}

function tool(): Tool<"plan"> {
  return defineTool({
    name: planTool,
    description:
      "Write down the steps of a task with several parts, and where each stands; the user sees the list. Give the whole list each time: it replaces the one before. Set the step that you work on to now, and to done as soon as it is. Leave it out for small tasks.",
    input: {
      type: "object",
      properties: {
        steps: {
          type: "array",
          items: {
            type: "object",
            properties: {
              step: { type: "string", description: "a few words" },
              state: { type: "string", enum: [...stepStates], description: "at most one step is now" },
            },
            required: ["step", "state"],
            additionalProperties: false,
          },
        },
        note: { type: "string", description: "why the plan has changed; leave out if that is clear" },
      },
      required: ["steps"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    execute(args) {
      const read = readPlan(args);
      if (typeof read === "string") throw new TypeError(read);
      return "ok";
    },
  });
}
