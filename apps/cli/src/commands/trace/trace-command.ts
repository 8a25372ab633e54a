import type { PageEvent } from "@cogency/page";
import { ShownConversation } from "@cogency/page";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { widthOr } from "../../base/terminal/text.ts";
import { agentLogs } from "../../place/store/agent-logs.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { isOfStore } from "../../place/store/store-files.ts";
import { unknownConversation } from "../../place/store/unknown-conversation.ts";
import { type HistoryOptions, readHistory } from "../../place/store/with-history.ts";
import { exportPage } from "../../work/export/export-page.ts";
import { shownEvents } from "../../work/export/shown-events.ts";
import { textTrace } from "./text-trace.ts";

export interface TraceOptions extends HistoryOptions {
  /** A file for the page, or `-` for stdout. */
  html?: string;
  /** Overwrites it. */
  force?: true;
  /** Keeps secrets. */
  raw?: true;
}

/**
 * `cogency trace`: what a conversation did, and when: in lines on stdout, or as one HTML page.
 *
 * @throws UsageError if there is no such conversation, the file cannot be written, or the page would go to a terminal
 */
export async function traceCommand(wanted: string, options: TraceOptions): Promise<void> {
  const { store: place, user, html, force = false, raw = false } = options;
  if (html === "-" && process.stdout.isTTY)
    throw new UsageError("The page is of no use in a terminal. Write it to a file: --html trace.html");
  if (html !== undefined && isOfStore(html, place))
    throw new UsageError("--html is the store itself. Give another file.");
  if (html === undefined && (force || raw))
    throw new UsageError(
      `${force ? "--force" : "--raw"} is for the page. Give --html trace.html, too, or leave it out.`,
    );
  const { conversation, events, agents } = await readHistory(options, async (store) => {
    const conversation = await findConversation(wanted, store, place, user);
    const events = await store.load({ conversation, user });
    if (events.length === 0) throw await unknownConversation({ conversation, user }, store, place);
    const logs = await agentLogs(store, { conversation, user }, events);
    const agents = Object.fromEntries([...logs].map(([name, log]) => [name, shownEvents(log, raw)]));
    return { conversation, events: shownEvents(events, raw), agents };
  });
  if (html === undefined) return putText(events, Object.values(agents));
  await exportPage({ conversation, events, agents, place, file: html, force, raw });
}

async function putText(events: readonly PageEvent[], agents: readonly (readonly PageEvent[])[]): Promise<void> {
  const lines = textTrace(shownOf(events), widthOr(process.stdout, 80), agents.map(shownOf));
  await put(`${lines.join("\n")}\n`);
  note("--html trace.html writes all of it, with the requests, as a page.");
}

function shownOf(events: readonly PageEvent[]): ShownConversation {
  const shown = new ShownConversation();
  for (const event of events) shown.write(event);
  return shown;
}
