import type { SlashCommand } from "./slash-command.ts";

export const unsend: SlashCommand = {
  name: "unsend",
  help: "take back what was not sent yet",
  anytime: true,
  run(conversation) {
    const unsent = conversation.takeBack();
    if (unsent === undefined) conversation.view.remark("Everything was sent.");
    else conversation.view.giveBack(unsent);
  },
};
