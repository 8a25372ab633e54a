import type { SlashCommand } from "./slash-command.ts";

export const tools: SlashCommand = {
  name: "tools",
  help: "what the model may call",
  async run({ session, view }) {
    const { tools } = await session.open();
    if (tools.length === 0) return view.remark("The model has no tools.");
    view.list(tools.map(({ name, description }) => [name, description.split(/\.\s/)[0] ?? ""]));
  },
};
