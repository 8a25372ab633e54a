import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { SlashCommand } from "./slash-command.ts";

const drivers = ["protocol", "native", "react", "auto"] as const;

export const driver: SlashCommand = {
  name: "driver",
  argument: "[protocol|native|react|auto]",
  help: "how the model is asked",
  complete: () => drivers,
  async run({ session, view }, argument) {
    const found = drivers.find((name) => name === argument);
    if (found) await session.change({ driver: found });
    else if (argument !== "")
      throw new UsageError(`There is no driver ${oneLine(argument, 60)}: ${drivers.join(", ")}.`);
    view.remark(`driver ${session.choice.driver}`);
  },
};
