import { UsageError } from "../../base/errors/usage-error.ts";
import { chatBudgetOf, limitRows } from "../../work/limits.ts";
import { usualCheckIn } from "../conversation/check-in.ts";
import type { SlashCommand } from "./slash-command.ts";

const checkIns = { "ask-after-steps": "askAfterSteps", "ask-after-minutes": "askAfterMinutes" } as const;
const options: Readonly<Record<string, string>> = {
  ...Object.fromEntries(limitRows.map(({ name, option }) => [name, option])),
  ...checkIns,
};
const amounts: readonly string[] = ["cost", "seconds", "ask-after-minutes"];

export const budget: SlashCommand = {
  name: "budget",
  argument: "[limit number]",
  help: "what the conversation has used, and what ends a turn",
  complete: () => Object.keys(options),
  async run({ session, usage, view, state }, argument) {
    if (argument !== "") {
      const [, name = "", value] = /^([a-z-]+)\s+(\d{1,9}(?:\.\d{1,9})?)$/.exec(argument) ?? [];
      const option = Object.hasOwn(options, name) ? options[name] : undefined;
      const limit = Number(value);
      if (option === undefined || !(limit > 0) || (!amounts.includes(name) && !Number.isInteger(limit)))
        throw new UsageError(
          `Write /budget and one of ${Object.keys(options).join(", ")} with a number above 0: /budget steps 40.`,
        );
      await session.change({ [option]: limit });
    }
    const { choice } = session;
    const { askAfterSteps = usualCheckIn.steps, askAfterMinutes = usualCheckIn.minutes } = choice;
    const limits = chatBudgetOf(choice);
    const rows = limitRows.map(({ name, unit, budget }) => {
      const limit = limits[budget] ?? Number.POSITIVE_INFINITY;
      return `  ${name}: ${limit === Number.POSITIVE_INFINITY ? "no limit" : `${limit} ${unit}`}`;
    });
    view.remark(
      [
        `used: ${usage.text()}, ${usage.contextText(state.window)}`,
        `you are asked after ${askAfterSteps} steps or ${askAfterMinutes} minutes without a word (ask-after-steps, ask-after-minutes)`,
        "a turn ends at:",
        ...rows,
      ].join("\n"),
    );
  },
};
