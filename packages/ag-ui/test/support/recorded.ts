import type { LogEvent } from "@cogency/protocol";
import { partsOf } from "@cogency/protocol/parts";
import { shownItem, type TurnEnding, type TurnItem } from "@cogency/server/bridge";
import { type AgUiEvent, AgUiRun } from "../../src/index.ts";

/** The items as a user may see them who sees reasoning, too. */
export function shownItems(items: readonly TurnItem[]): TurnItem[] {
  return items.flatMap((item) => shownItem(item, new Set(["thinking"])) ?? []);
}

/** The events of one run that shows a conversation from its first event on, or what comes after the items `before`. */
export function runOf(items: readonly TurnItem[], ending: TurnEnding, before: readonly TurnItem[] = []): AgUiEvent[] {
  const run = new AgUiRun({ threadId: "thread", runId: "run" });
  run.remember(before.filter(({ type }) => type === "event"));
  const begun = run.start({ messages: [], news: [] });
  return [...begun, ...items.flatMap((item) => run.read(item)), ...run.read({ type: "over", ending })];
}

/** The events of a run that begins when all has happened. */
export function historyOf(items: readonly TurnItem[], ending: TurnEnding): AgUiEvent[] {
  const run = new AgUiRun({ threadId: "thread", runId: "run" });
  run.remember(items);
  return [...run.start(), ...run.read({ type: "over", ending })];
}

/** How the last turn of a log has ended. */
export function endingOf(log: readonly LogEvent[]): TurnEnding {
  const parts = partsOf(log);
  if (parts.some((part) => part.type === "question" && part.open)) return { status: "waiting" };
  const last = parts.findLast((part) => part.type === "end" || part.type === "notice");
  if (last?.type === "notice" && last.open)
    return { status: last.parked ? "parked" : "failed", code: last.code, message: last.message };
  if (last?.type !== "end" || last.status === "failed") {
    const error = last?.type === "end" ? last.error : undefined;
    return { status: "failed", ...error };
  }
  const { status, stop } = last;
  return { status, ...(stop && { code: stop.reason, message: stop.message }) };
}

/** Events as lines that a person can read. */
export function linesOf(events: readonly AgUiEvent[]): string {
  return events
    .map(({ type, ...fields }) =>
      type === "MESSAGES_SNAPSHOT" ? snapshotLines(fields) : `${type} ${JSON.stringify(fields)}`,
    )
    .join("\n");
}

function snapshotLines(fields: object): string {
  const messages: unknown[] = "messages" in fields && Array.isArray(fields.messages) ? fields.messages : [];
  return ["MESSAGES_SNAPSHOT", ...messages.map((message) => `  ${JSON.stringify(message)}`)].join("\n");
}
