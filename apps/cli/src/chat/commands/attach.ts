import { UsageError } from "../../errors/usage-error.ts";
import type { SlashCommand } from "./slash-command.ts";

export const attach: SlashCommand = {
  name: "attach",
  argument: "<path>",
  help: "attach an image or a PDF file to the next prompt, as @picture.png in it does",
  anytime: true,
  run(conversation, argument) {
    if (argument === "") throw new UsageError("Which file? /attach <path>");
    return conversation.attach(argument);
  },
};
