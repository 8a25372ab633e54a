import { type ThinkingLevel, thinkingLevels } from "@cogency/provider";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

/** The word for what the model does by itself. */
const own = "default";

const levels = [own, ...thinkingLevels] as const;

/** `/think`: how much the model thinks before it answers. */
export const thinkCommand: SlashCommand = {
  name: "think",
  argument: "[level]",
  help: `how much the model thinks: ${levels.join(", ")}; next, or Alt-T, takes the next level`,
  anytime: true,
  complete: () => [...levels, "next"],
  async run(conversation, argument) {
    const { session, view } = conversation;
    const { think: now = own } = session.choice;
    const next = levels[(levels.indexOf(now) + 1) % levels.length];
    const chosen = argument === "next" ? next : levels.find((name) => name === argument);
    if (chosen !== undefined) await think(conversation, chosen === own ? undefined : chosen);
    else if (argument !== "")
      throw new UsageError(`There is no level ${oneLine(argument, 60)} of thinking: ${levels.join(", ")}.`);
    else view.remark(`think ${now}`);
  },
};

async function think({ session, view }: Conversation, level: ThinkingLevel | undefined): Promise<void> {
  session.setThinking(level);
  view.remark(`think ${level ?? own}`);
  view.changed();
  // Says so where the model has no levels.
  if (level !== undefined) await session.open();
}
