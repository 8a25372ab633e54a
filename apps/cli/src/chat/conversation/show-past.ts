import type { LogEvent, RunEvent } from "@cogency/protocol";
import { counted } from "../../base/terminal/text.ts";
import { outsideNotice } from "../../person/show/outside-notice.ts";
import type { ConversationView } from "./conversation-view.ts";
import { isPrompt, type OpenEnd, pastEvents, pastOf } from "./past.ts";

/** Turns that are shown of a conversation that goes on. */
const shownTurns = 2;

/** Shows the last turns of a conversation that goes on, and how it can go on. `onEvent` is called with their events. */
export function showPast(
  log: readonly LogEvent[],
  conversation: string,
  view: ConversationView,
  onEvent: (event: RunEvent) => void,
): void {
  if (log.length === 0) return;
  const { earlier, events, open } = pastOf(log, shownTurns);
  const before = earlier > 0 ? ` ${counted(earlier, "turn")} before these ${earlier === 1 ? "is" : "are"} kept.` : "";
  view.remark(`Going on with ${conversation}.${before}`);
  let shown: typeof events = events;
  while (shown.length > 0) {
    const [first, ...rest] = shown;
    const notice = first && noticeIn(first);
    if (first && isPrompt(first)) view.said(first.content, first.attachments ?? []);
    else if (notice !== undefined) view.remark(notice);
    const next = rest.findIndex((event) => isPrompt(event) || noticeIn(event) !== undefined);
    const answer = next < 0 ? rest : rest.slice(0, next);
    for (const event of pastEvents(answer, conversation)) onEvent(event);
    shown = next < 0 ? [] : rest.slice(next);
  }
  if (open) view.remark(openText(open), "warning");
}

function noticeIn(event: LogEvent): string | undefined {
  return event.type === "user" ? outsideNotice(event) : undefined;
}

/** What a person can do about a run that can go on. */
function openText(open: OpenEnd): string {
  switch (open.why) {
    case "questions": {
      const which = open.count === 1 ? "One question waits" : `${open.count} questions wait`;
      return `${which} for your answer. /continue asks.`;
    }
    case "cancelled":
      return "The last turn was cancelled. /continue goes on with it; so does a new prompt, in another way.";
    case "broken_off":
      return "The last turn broke off. /continue goes on with it.";
  }
}
