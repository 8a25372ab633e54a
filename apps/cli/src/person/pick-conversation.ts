import { createInterface } from "node:readline";
import { styleText } from "node:util";
import type { ConversationSummary } from "@cogency/storage";
import { UsageError } from "../base/errors/usage-error.ts";
import { oneLine } from "../base/terminal/text.ts";
import { listedConversations } from "../place/store/conversation-pages.ts";
import { withHistory } from "../place/store/with-history.ts";
import { ConversationList, conversationRow } from "./conversation-list.ts";

/**
 * Lets the person at the terminal choose a conversation of the store at `place`: in a list that filters while they type, or by a number
 * where the terminal cannot move its cursor.
 *
 * @returns its id; undefined if they leave
 * @throws UsageError without a terminal, which names the latest, and for a store without conversations
 */
export async function pickConversation(place: string): Promise<string | undefined> {
  const all = await withHistory({ store: place }, (store) => listedConversations(store, { limit: mostListed }));
  if (all.length === 0) throw new UsageError("There is no conversation to go on with yet.");
  const { stdin, stdout, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) throw unnamed(all);
  if (!stdout.isTTY || process.env.TERM === "dumb") return byNumber(all);
  return inList(all);
}

/** The latest ones. */
const mostListed = 1000;

function unnamed(all: readonly ConversationSummary[]): UsageError {
  const lines = all
    .slice(0, 5)
    .map(({ conversation, title }) => `  ${oneLine(conversation, 60)}  ${oneLine(title, 80)}`);
  return new UsageError(
    ["--resume needs to know which conversation is to go on: --resume <conversation>. The latest:", ...lines].join(
      "\n",
    ),
  );
}

async function inList(all: readonly ConversationSummary[]): Promise<string | undefined> {
  const [{ TerminalPage }, { LineField }, { matchesKey }] = await Promise.all([
    import("../screen/terminal-page.ts"),
    import("../screen/line-field.ts"),
    import("@earendil-works/pi-tui"),
  ]);
  const list = new ConversationList(all);
  const field = new LineField("Which conversation? ");
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const styled = (style: "dim" | "bold", text: string) => styleText(style, text, { stream: process.stdout });
  const foot = (columns: number, rows: number) => {
    const { text, column } = field.row(columns);
    const shown = list.rows(columns, Math.max(1, Math.min(10, rows - 2)));
    const none = shown.length === 0 ? [styled("dim", "  None has these words.")] : [];
    return {
      rows: [
        text,
        ...shown.map((row) => (row.isChosen ? styled("bold", row.text) : row.text)),
        ...none,
        styled("dim", oneLine("Type to filter · Up, Down · Enter: go on with it · Esc: leave", columns)),
      ],
      cursor: { row: 0, column },
    };
  };
  const key = (data: string) => {
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) resolve(undefined);
    else if (matchesKey(data, "enter")) {
      if (list.chosen !== undefined) resolve(list.chosen);
    } else if (matchesKey(data, "up") || matchesKey(data, "ctrl+p")) list.move(-1);
    else if (matchesKey(data, "down") || matchesKey(data, "ctrl+n")) list.move(1);
    else if (matchesKey(data, "pageUp")) list.move(-10);
    else if (matchesKey(data, "pageDown")) list.move(10);
    else {
      field.key(data);
      list.filter(field.text);
    }
  };
  const page = new TerminalPage(foot, key);
  try {
    return await promise;
  } finally {
    page.close();
  }
}

function byNumber(all: readonly ConversationSummary[]): Promise<string | undefined> {
  const { stdin, stderr } = process;
  const shown = all.slice(0, 20);
  stderr.write(
    shown.map((summary, index) => `${String(index + 1).padStart(3)}  ${conversationRow(summary)}\n`).join(""),
  );
  const ask = () => stderr.write("Which one? Its number, and Enter; Enter alone leaves: ");
  const lines = createInterface({ input: stdin, terminal: false });
  return new Promise((resolve) => {
    lines.on("line", (line) => {
      const found = shown[Number(line) - 1];
      if (line.trim() !== "" && !found) return ask();
      resolve(found?.conversation);
      lines.close();
    });
    lines.once("close", () => resolve(undefined));
    ask();
  });
}
