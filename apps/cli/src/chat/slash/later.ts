import { UsageError } from "../../base/errors/usage-error.ts";
import type { SlashCommand } from "./slash-command.ts";

export const later: SlashCommand = {
  name: "later",
  argument: "<text>",
  help: "say it after the answer, also a slash command or a !command",
  anytime: true,
  run(conversation, argument) {
    if (argument === "") throw new UsageError("What shall be said? /later <text>");
    conversation.later(argument);
  },
};
