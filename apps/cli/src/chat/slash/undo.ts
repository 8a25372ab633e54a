import type { SlashCommand } from "./slash-command.ts";

export const undo: SlashCommand = {
  name: "undo",
  argument: "[turn|call|undo]",
  help: "restore the files that the agent changed in its latest turn, or since a point; /undo <undo_…> takes an undo back",
  async run({ session, view }, argument) {
    const { undoFiles } = await import("../../work/undo/app-undo.ts");
    const store = await session.store();
    const { conversation, place } = session;
    const { access } = session.choice;
    const lines = await undoFiles({ conversation, store, place, access }, argument === "" ? undefined : argument);
    view.remark(lines.join("\n"));
  },
};
