import { UsageError } from "../../errors/usage-error.ts";
import type { SlashCommand } from "./slash-command.ts";

const limits = { steps: "maxSteps", cost: "maxCost", seconds: "maxSeconds" } as const;

export const budget: SlashCommand = {
  name: "budget",
  argument: "[steps|cost|seconds <limit>]",
  help: "what the conversation has used, and the limits of a turn",
  complete: () => Object.keys(limits),
  async run({ session, usage, view, state }, argument) {
    if (argument !== "") {
      const [, name, value] = /^(steps|cost|seconds)\s+(\d{1,9}(?:\.\d{1,9})?)$/.exec(argument) ?? [];
      const limit = Number(value);
      if (name === undefined || !(limit > 0) || (name === "steps" && !Number.isInteger(limit)))
        throw new UsageError("Write /budget steps 40, /budget cost 0.5 or /budget seconds 60.");
      await session.change({ [limits[name as keyof typeof limits]]: limit });
    }
    const { maxSteps = 20, maxCost, maxSeconds = 600 } = session.choice;
    const cost = maxCost === undefined ? "no limit of cost" : `cost ${maxCost}`;
    view.remark(
      `used: ${usage.text()}, ${usage.contextText(state.window)}\na turn: at most ${maxSteps} steps, ${maxSeconds} s, ${cost}`,
    );
  },
};
