import { styleText } from "node:util";
import type { ConversationSummary } from "@cogency/storage";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { fitted, oneLine, widthOr } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { conversationPages } from "../../place/store/conversation-pages.ts";
import { type HistoryOptions, isStoreThere, readHistory } from "../../place/store/with-history.ts";

export interface ListOptions extends HistoryOptions {
  limit: number;
  json?: true;
}

/** `cogency history list`: the newest first. */
export async function listHistory(options: ListOptions): Promise<void> {
  const { user, limit, json } = options;
  let found = 0;
  const shown: ConversationSummary[] = [];
  if (isStoreThere(options.store)) {
    await readHistory(options, async (store) => {
      // Asks for one more than it shows, to know whether there are more.
      for await (const page of conversationPages(store, { user, limit: limit + 1 })) {
        const fitting = page.slice(0, limit - found);
        found += page.length;
        if (!json) shown.push(...fitting);
        else for (const summary of fitting) await putLine(summary);
      }
    });
  }
  if (json) return;
  const { stdout, stderr } = process;
  if (shown.length > 0) await put(table(shown, stdout));
  if (found > limit) stderr.write(`${styleText("dim", `… and more: --limit ${limit * 5}`, { stream: stderr })}\n`);
  if (found === 0)
    stderr.write(
      `${styleText("dim", 'There is no conversation yet. Begin one: cogency "list ."', { stream: stderr })}\n`,
    );
}

function table(summaries: readonly ConversationSummary[], stream: NodeJS.WriteStream): string {
  const rows = summaries.map(({ conversation, updatedAt, events, title }) => [
    fitted(oneLine(conversation, longestId), longestId),
    when(updatedAt),
    String(events),
    oneLine(title, 80),
  ]);
  const lines = tableLines(rows, {
    columns: widthOr(stream, Number.POSITIVE_INFINITY),
    head: ["conversation", "last", "events", "title"],
    right: [2],
    style: (text, _, row) => (row < 0 ? styleText("dim", text, { stream }) : text),
  });
  return `${lines.join("\n")}\n`;
}

/** Longer names are cut; `--json` prints them whole. A random name takes 36. */
const longestId = 40;
