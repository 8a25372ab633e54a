import { UsageError } from "../../base/errors/usage-error.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

export const resume: SlashCommand = {
  name: "resume",
  argument: "<conversation>",
  help: "go on with another conversation, by its id, how that begins, or words of its title",
  async complete({ session }) {
    const latest = await (await session.store()).conversations({ limit: 20 });
    return latest.map(({ conversation }) => conversation);
  },
  async run(conversation, argument) {
    if (argument === "") throw new UsageError("Which one? /resume <conversation>; /history shows them.");
    const store = await conversation.session.store();
    await conversation.goTo(await findConversation(argument, store, conversation.session.place));
  },
};
