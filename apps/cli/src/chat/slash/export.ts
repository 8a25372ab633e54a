import { UsageError } from "../../base/errors/usage-error.ts";
import type { SlashCommand } from "./slash-command.ts";

export const exportCommand: SlashCommand = {
  name: "export",
  argument: "<file>",
  help: "write the conversation to a new file, without what looks like a secret",
  async run({ session }, argument) {
    if (argument === "") throw new UsageError("Where to? /export <file>");
    if (session.place === ":memory:")
      throw new UsageError("This conversation is in memory only, so it cannot be exported.");
    const { exportHistory } = await import("../../work/export/export.ts");
    const { signal } = new AbortController();
    await exportHistory([session.conversation], { store: session.place, output: argument }, signal);
  },
};
