import { contextText } from "../../work/context/context-rows.ts";
import { compactionText } from "../../work/slash/compact-command.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/context`: what fills the model's window. */
export const contextCommand: SlashCommand = {
  name: "context",
  help: "what fills the window of the model, by part, and what a summary would free",
  anytime: true,
  async run(conversation) {
    const { session, usage, view, state } = conversation;
    const log = await (await session.store()).load({ conversation: session.conversation });
    const { sections } = await session.open();
    const { context: used, isEstimated } = usage;
    const text = contextText(log, { used, isEstimated, window: state.window, sections });
    if (!text) return view.remark("Nothing was said yet, so nothing fills the window.");
    view.remark(text.head);
    view.list(text.rows);
    view.remark(`${text.freed} ${sentence(compactionText(conversation))}`);
  },
};

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
