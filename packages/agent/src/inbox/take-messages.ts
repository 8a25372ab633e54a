import type { AgentEvent, LogEvent, RecordEvent } from "@cogency/protocol";
import { objectRecords } from "../log/object-record.ts";
import { traceRecords } from "../log/trace-record.ts";
import type { RunContext } from "../run-context.ts";
import { messageRecord, type Received, wordsOf } from "./mailbox.ts";

/** Takes the words that the person sent into the middle of the run: the model reads them in its next request. */
export async function takeSteers(context: RunContext): Promise<void> {
  await context.mailbox.settled();
  await takeRefused(context);
  await takeWords(context, context.mailbox.takeSteers());
}

/** Begins the next turn with the words that wait in the inbox. Returns whether there are any. */
export async function takeTurn(context: RunContext): Promise<boolean> {
  const words = context.mailbox.takeTurn();
  await takeWords(context, words, (timestamp) => turnRecords(context, timestamp));
  return words.length > 0;
}

/** The records that stand with the first words of a turn. */
export function turnRecords(context: RunContext, timestamp: number): RecordEvent[] {
  return [...traceRecords(context, timestamp), ...objectRecords(context, timestamp)];
}

/** Takes the messages that have no effect, so that they do not wait for ever, and says so. */
export async function takeRefused({ mailbox, log, timeline, settings }: RunContext): Promise<void> {
  const refused = mailbox.takeRefused();
  if (refused.length === 0) return;
  const timestamp = settings.clock();
  const records = refused.map(({ received, why }) => messageRecord(received, timestamp, why));
  await log.append(
    records,
    refused.map(({ received }) => received.id),
  );
  for (const { received, why } of refused) tellMessage(timeline, received, why);
}

async function takeWords(
  { log, outlet, timeline, settings }: RunContext,
  words: readonly Received[],
  records: (timestamp: number) => RecordEvent[] = () => [],
): Promise<void> {
  if (words.length === 0) return;
  const timestamp = settings.clock();
  const events = words.flatMap((received) => wordsOf(received, timestamp));
  await log.append(
    [...events, ...records(timestamp)],
    words.map(({ id }) => id),
  );
  for (const received of words) tellMessage(timeline, received);
  await outlet.put(...events.filter(isWords));
}

export function tellMessage(timeline: RunContext["timeline"], { id, message }: Received, refused?: string): void {
  const { kind, from } = message;
  timeline.tell(() => ({
    type: "message_received",
    id,
    kind: String(kind),
    ...(typeof from === "string" && { from }),
    ...(refused !== undefined && { refused }),
  }));
}

function isWords(event: LogEvent): event is LogEvent & AgentEvent {
  return event.type === "user";
}
