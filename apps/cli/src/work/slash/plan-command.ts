import { acceptedPlanOf, planText } from "@cogency/plan/log";
import { oneLine } from "../../base/terminal/text.ts";
import type { SharedCommand } from "./shared-command.ts";

/** `/plan`. */
export const planCommand: SharedCommand = {
  name: "plan",
  argument: "[text | what to plan]",
  help: "the steps of the model; text: the plan that you accepted; other words: let the model plan that, and change nothing before you accept",
  anytime: true,
  complete: () => ["text"],
  async run(conversation, argument) {
    const { session, view } = conversation;
    if (argument !== "" && argument !== "text") {
      await session.setMode("plan");
      view.remark("mode plan: nothing changes until you accept a plan.");
      return conversation.submit(argument);
    }
    const store = await session.store();
    const accepted = acceptedPlanOf(await store.load({ conversation: session.conversation }));
    if (argument === "text") {
      if (!accepted) return view.remark("You have accepted no plan in this conversation.");
      return view.text(accepted.plan);
    }
    const { plan } = conversation.state;
    if (plan === undefined || plan.steps.length === 0)
      view.remark("There is no plan. /plan and what to do lets the model plan it first.");
    else {
      view.remark(`plan ${oneLine(planText(plan), 200)}`);
      view.list(plan.steps.map(({ step, state }) => [state, step]));
    }
    if (accepted) view.remark(`You accepted a plan (${oneLine(accepted.choice, 40)}). /plan text shows it.`);
  },
};
