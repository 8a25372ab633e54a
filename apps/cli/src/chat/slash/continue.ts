import type { SlashCommand } from "./slash-command.ts";

export const continueCommand: SlashCommand = {
  name: "continue",
  help: "go on with a turn that was cancelled, broke off, or waits for an answer",
  run: (conversation) => conversation.goOn(),
};
