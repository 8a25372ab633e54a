import type { SlashCommand } from "./slash-command.ts";

export const quit: SlashCommand = {
  name: "quit",
  help: "leave; the conversation stays",
  anytime: true,
  run: (conversation) => conversation.leave(),
};
