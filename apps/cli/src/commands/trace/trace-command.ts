import { styleText } from "node:util";
import { UsageError } from "../../errors/usage-error.ts";
import { pageHtml } from "../../page/page-html.ts";
import { saveFile } from "../../setup/save-file.ts";
import { findConversation } from "../../setup/store/find-conversation.ts";
import { isOfStore } from "../../setup/store/store-files.ts";
import { unknownConversation } from "../../setup/store/unknown-conversation.ts";
import { put } from "../../terminal/output.ts";
import { visible } from "../../terminal/text.ts";
import { type HistoryOptions, withHistory } from "../history/with-history.ts";
import { shownEvents } from "./shown-events.ts";

export interface TraceOptions extends HistoryOptions {
  /** A file; stdout when absent. */
  html?: string;
  /** Overwrites it. */
  force?: true;
  /** Keeps secrets. */
  raw?: true;
}

/**
 * `cogency trace`: a conversation as one HTML page.
 *
 * @throws UsageError if there is no such conversation, the file cannot be written, or the page would go to a terminal
 */
export async function traceCommand(wanted: string, options: TraceOptions): Promise<void> {
  const { store: place, user, html, force = false, raw = false } = options;
  if (html === undefined && process.stdout.isTTY)
    throw new UsageError("The page is of no use in a terminal. Write it to a file: --html trace.html");
  if (html !== undefined && isOfStore(html, place))
    throw new UsageError("--html is the store itself. Give another file.");
  const page = await withHistory(options, async (store) => {
    // Words of a title find conversations of the anonymous user only.
    const conversation = user === undefined ? await findConversation(wanted, store, place) : wanted;
    const events = await store.load({ conversation, user });
    if (events.length === 0) throw await unknownConversation({ conversation, user }, store, place);
    return pageHtml({ type: "trace", conversation, events: shownEvents(events, raw), isRedacted: !raw });
  });
  if (html === undefined) await put(page);
  else await saveFile("--html", html, [page], force);
  const where = html === undefined ? "" : ` to ${visible(html)}`;
  const secrets = raw ? "secrets that it holds are kept" : "what looks like a secret is redacted; --raw keeps it";
  const notice = `wrote the page${where}: ${secrets}`;
  process.stderr.write(`${styleText(raw ? "yellow" : "dim", notice, { stream: process.stderr })}\n`);
}
