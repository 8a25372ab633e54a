import type { AgentEvent, LogEvent, RecordEvent, ToolSpec } from "@cogency/protocol";
import { objectRecords } from "../log/object-record.ts";
import { traceRecords } from "../log/trace-record.ts";
import type { RunContext } from "../run-context.ts";
import { clientToolRecords, noteClientTools } from "../sources/client-tools.ts";
import { messageRecord, type Noted, type Received } from "./received.ts";
import { type NameMessage, nameRecord } from "./store-name.ts";
import { wordsOf } from "./words-of.ts";

/** Takes the words that the person sent into the middle of the run: the model reads them in its next request. */
export async function takeSteers(context: RunContext): Promise<void> {
  await context.mailbox.settled();
  await takeUnread(context);
  await takeWords(context, context.mailbox.takeSteers());
}

/** Begins the next turn with the words that wait in the inbox. Returns whether there are any. */
export async function takeTurn(context: RunContext): Promise<boolean> {
  const { mailbox } = context;
  while (mailbox.hasWords) {
    const words = await takeWords(context, mailbox.takeTurn(), true);
    if (words.length > 0) return true;
  }
  return false;
}

/**
 * The records that stand with the first words of a turn.
 *
 * @param tools those that the client brings with its prompt; undefined for a turn that begins without one, which changes nothing
 */
export function turnRecords(
  context: RunContext,
  timestamp: number,
  tools: readonly ToolSpec[] | undefined,
): RecordEvent[] {
  const brought = tools ? clientToolRecords(context, tools, timestamp) : [];
  return [...traceRecords(context, timestamp), ...objectRecords(context, timestamp), ...brought];
}

/**
 * Takes the messages that the model does not read: names for the conversation and its points, and those that have no effect, so that they do not wait
 * for ever.
 */
export async function takeUnread(context: RunContext): Promise<void> {
  const { log, timeline, settings } = context;
  const unread = unreadMessages(context, settings.clock());
  if (unread.ids.length === 0) return;
  await log.append(unread.records, unread.ids);
  unread.tell(timeline);
}

/** The messages that the model does not read, with the records that stand for them in the log. Each is returned once. */
export function unreadMessages({ mailbox }: Pick<RunContext, "mailbox">, timestamp: number) {
  const names = mailbox.takeNames();
  const refused = mailbox.takeRefused();
  const records: RecordEvent[] = [
    ...names.flatMap((received): RecordEvent[] => [
      messageRecord(received, timestamp),
      nameRecord(received.message as NameMessage, timestamp),
    ]),
    ...refused.map(({ received, why }) => messageRecord(received, timestamp, { refused: why })),
  ];
  const tell = (timeline: RunContext["timeline"]) => {
    for (const received of names) tellMessage(timeline, received);
    for (const { received, why } of refused) tellMessage(timeline, received, { refused: why });
  };
  return { records, ids: [...names, ...refused.map(({ received }) => received)].map(({ id }) => id), tell };
}

/** Returns those that hooks have not refused. */
async function takeWords(
  context: RunContext,
  given: readonly Received[],
  isTurn = false,
): Promise<readonly Received[]> {
  const { log, outlet, timeline, settings } = context;
  const words = await withoutRefused(context, given);
  if (words.length === 0) return words;
  const timestamp = settings.clock();
  const { events, taken } = wordsOf(words, timestamp);
  const tools = toolsOf(words);
  const brought = tools ? clientToolRecords(context, tools, timestamp) : [];
  const records = isTurn ? turnRecords(context, timestamp, tools) : brought;
  await log.append(
    [...events, ...records],
    words.map(({ id }) => id),
  );
  await noteClientTools(context, records);
  for (const { received, more } of taken) tellMessage(timeline, received, { more });
  await outlet.put(...events.filter(isWords));
  return words;
}

/**
 * The tools that the client brings with the words: with the prompt among them, which takes back those before it, or else with the last
 * steer that says anything of tools. Undefined if nothing changes.
 */
function toolsOf(words: readonly Received[]): readonly ToolSpec[] | undefined {
  const prompt = words.find(({ message }) => message.kind === "prompt");
  return prompt ? (prompt.tools ?? []) : words.findLast(({ tools }) => tools !== undefined)?.tools;
}

/** Asks the hooks about words, and takes those out of the inbox that they refuse. */
async function withoutRefused(context: RunContext, words: readonly Received[]): Promise<readonly Received[]> {
  const { hooks, mailbox } = context;
  if (!hooks?.has("beforePrompt")) return words;
  const taken: Received[] = [];
  for (const received of words) {
    const { message } = received;
    const isWord = message.kind === "prompt" || message.kind === "steer";
    const why = isWord ? await hooks.beforePrompt(message.content, message.kind) : undefined;
    if (why === undefined) taken.push(received);
    else mailbox.refuseWords(received, why);
  }
  await takeUnread(context);
  return taken;
}

export function tellMessage(
  timeline: RunContext["timeline"],
  { id, message }: Received,
  { refused, more = 0 }: Noted = {},
): void {
  const { kind, from } = message;
  timeline.tell(() => ({
    type: "message_received",
    id,
    kind: String(kind),
    ...(typeof from === "string" && { from }),
    ...(refused !== undefined && { refused }),
    ...(more > 0 && { more }),
  }));
}

function isWords(event: LogEvent): event is LogEvent & AgentEvent {
  return event.type === "user";
}
