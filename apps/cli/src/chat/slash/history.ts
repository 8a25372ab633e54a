import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { listedConversations } from "../../place/store/conversation-pages.ts";
import type { SlashCommand } from "./slash-command.ts";

export const history: SlashCommand = {
  name: "history",
  argument: "[count]",
  help: "the latest conversations",
  anytime: true,
  async run({ session, view }, argument) {
    if (!/^\d{0,4}$/.test(argument)) throw new UsageError("/history takes a number of conversations.");
    const found = await listedConversations(await session.store(), { limit: Number(argument) || 15 });
    if (found.length === 0) return view.remark("There is no conversation yet.");
    view.list(
      found.map(({ conversation, updatedAt, title }) => [
        oneLine(conversation, 40),
        `${when(updatedAt)}${conversation === session.conversation ? ", this one" : ""}  ${title}`,
      ]),
    );
  },
};
