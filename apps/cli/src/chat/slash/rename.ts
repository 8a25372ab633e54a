import { UsageError } from "../../base/errors/usage-error.ts";
import { nameConversation } from "../../place/store/name-conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

export const rename: SlashCommand = {
  name: "rename",
  argument: "<title>",
  help: "give the conversation a title, which lists show and /resume finds",
  async run({ session, view }, argument) {
    const store = await session.store();
    const { conversation, place } = session;
    if ((await store.load({ conversation }, { last: 1 })).length === 0)
      throw new UsageError("The conversation is empty. Say something first.");
    view.remark(`The title is now "${await nameConversation({ conversation }, argument, store, place)}".`);
  },
};
