import { UsageError } from "../../base/errors/usage-error.ts";
import type { SlashCommand } from "./slash-command.ts";

export const attach: SlashCommand = {
  name: "attach",
  argument: "<path>",
  help: "give the model a file with the next prompt, as @picture.png or @main.ts in it does",
  anytime: true,
  run(conversation, argument) {
    if (argument === "") throw new UsageError("Which file? /attach <path>");
    return conversation.attach(argument);
  },
};
