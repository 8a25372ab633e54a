import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/export`: the conversation as lines of JSON, or as a page. An existing file stays as it is. */
export const exportCommand: SlashCommand = {
  name: "export",
  argument: "<file>|--html [file]",
  help: "write the conversation to a new file, without what looks like a secret; --html: as a page for browsers",
  complete: () => ["--html"],
  async run(conversation, argument) {
    const [, isPage, given = ""] = /^(--html(?=\s|$))?\s*(.*)$/s.exec(argument) ?? [];
    if (isPage !== undefined) return writePage(conversation, given);
    const { session } = conversation;
    if (given === "") throw new UsageError("Where to? /export <file>, or /export --html [file] for a page.");
    if (session.place === ":memory:")
      throw new UsageError(
        "This conversation is in memory only, so it can be exported as a page alone: /export --html",
      );
    const { exportHistory } = await import("../../work/export/export.ts");
    const { signal } = new AbortController();
    await exportHistory([session.conversation], { store: session.place, output: checkedNew(given) }, signal);
  },
};

async function writePage({ session }: Conversation, given: string): Promise<void> {
  const { conversation, place, choice } = session;
  const store = await session.store();
  const stored = await store.load({ conversation });
  if (stored.length === 0) throw new UsageError("The conversation is empty. Say something first.");
  const [{ exportPage }, { shownEvents }, { agentLogs }] = await Promise.all([
    import("../../work/export/export-page.ts"),
    import("../../work/export/shown-events.ts"),
    import("../../place/store/agent-logs.ts"),
  ]);
  const logs = await agentLogs(store, { conversation }, stored);
  const agents = Object.fromEntries([...logs].map(([name, log]) => [name, shownEvents(log, false)]));
  const file = given === "" ? unusedName(choice.root, conversation) : checkedNew(given);
  await exportPage({
    ...{ conversation, events: shownEvents(stored, false), agents },
    ...{ place, file, force: false, raw: false },
  });
}

/** Here is no option that overwrites it. */
function checkedNew(file: string): string {
  const path = resolve(file);
  if (existsSync(path)) throw new UsageError(`${oneLine(path, 200)} exists. Name another file: nothing was written.`);
  return path;
}

/** `cogency-1b2f0c6e.html`, in the folder of the project; `-2` and so on where there is one. */
function unusedName(root: string, conversation: string): string {
  const name = `cogency-${conversation.slice(0, 8).replace(/[^\w-]/g, "_")}`;
  for (let number = 1; ; number++) {
    const path = resolve(root, `${name}${number === 1 ? "" : `-${number}`}.html`);
    if (!existsSync(path)) return path;
  }
}
