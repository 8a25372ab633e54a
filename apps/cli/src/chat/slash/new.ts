import type { SlashCommand } from "./slash-command.ts";

export const newCommand: SlashCommand = {
  name: "new",
  help: "begin another conversation",
  async run(conversation) {
    await conversation.goTo(crypto.randomUUID());
    conversation.view.remark("A new conversation. /history shows the ones before.");
  },
};
