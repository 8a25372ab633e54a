import { UsageError } from "../../base/errors/usage-error.ts";
import type { SlashCommand } from "./slash-command.ts";

export const thinking: SlashCommand = {
  name: "thinking",
  argument: "[on|off]",
  help: "what the model thought last; on: show all that it thinks from now on",
  anytime: true,
  complete: () => ["on", "off"],
  run({ outputs, view }, argument) {
    switch (argument) {
      case "":
        return outputs.thoughts === ""
          ? view.remark("The model has not thought aloud yet.")
          : view.remark(outputs.thoughts);
      case "on":
        view.showThinking(true);
        return view.remark("Thoughts are shown from now on.");
      case "off":
        view.showThinking(false);
        return view.remark("Thoughts are one line from now on.");
      default:
        throw new UsageError("Write /thinking, /thinking on or /thinking off.");
    }
  },
};
