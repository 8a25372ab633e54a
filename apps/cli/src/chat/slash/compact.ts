import type { SlashCommand } from "./slash-command.ts";

export const compact: SlashCommand = {
  name: "compact",
  help: "sum up the earlier part of the conversation before the next request",
  async run(conversation) {
    const { compaction } = await import("@cogency/agent/history");
    const window = Math.max(8000, conversation.usage.context * 4);
    await conversation.session.sumUp(compaction({ window, at: 0.01, keep: 0 }));
    conversation.view.remark("The earlier part is summed up before the next request, unless it is short.");
  },
};
