import { type CallPart, type NoticePart, type Parts, partsOf } from "@cogency/protocol/parts";
import type { Key, StoredEvent, StoredMessage } from "@cogency/storage";
import { type ConversationState, stateOf } from "../conversation/conversation-state.ts";
import { copiedEvents } from "../conversation/copied-events.ts";
import { recentEvents } from "../conversation/recent-events.ts";
import type { BridgeStore } from "./bridge.ts";
import { endingOfEvent, type ReadMessages } from "./read-messages.ts";
import type { Recovery } from "./recoveries.ts";
import type { TurnEnding } from "./turn-item.ts";

/** What a store says of a conversation at one moment. */
export interface TurnLook {
  /** The last sequence number; 0 for a log without events. */
  readonly last: number;
  readonly recent: readonly StoredEvent[];
  readonly parts: Parts;
  readonly inbox: readonly StoredMessage[];
  readonly state: ConversationState;
  /** A message is neither in the inbox nor in the log: the conversation was deleted. */
  readonly isGone: boolean;
  /** Unix time in milliseconds at which somebody tries again; undefined if nobody said so. */
  readonly retryAt: number | undefined;
}

/** Looks what became of the messages of a turn. Reads the inbox first: a message that is not in it any more is in the log. */
export async function lookAt(store: BridgeStore, key: Key, messages: ReadMessages): Promise<TurnLook> {
  const inbox = await store.inbox(key);
  const recent = await recentEvents(store, key);
  const copied = await copiedEvents(store, key);
  for (const event of recent) messages.read(event);
  const waits = new Set(inbox.map(({ id }) => id));
  const isMissing = () => [...messages.unread].some((id) => !waits.has(id));
  // Posted again by a client that did not know that it had arrived, long ago.
  if (isMissing()) for (const event of await store.load(key, { types: ["record"] })) messages.read(event);
  const parts = partsOf(recent);
  const notice = openNotice(parts);
  return {
    last: recent.at(-1)?.seq ?? 0,
    recent,
    parts,
    inbox,
    state: stateOf(recent, inbox, copied),
    isGone: isMissing(),
    retryAt: notice?.retryAt === undefined ? undefined : notice.retryAt * 1000,
  };
}

interface Tried {
  /** What came of the last try of this process to go on. */
  readonly recovery: Recovery | undefined;
  /** A run of this process is at work. */
  readonly isWorking: boolean;
  /** Nothing has come for a while. */
  readonly isQuiet: boolean;
}

/** How the turn has ended, if nothing more of it comes by itself. */
export function endingOfLook(
  look: TurnLook,
  messages: ReadMessages,
  { recovery, isWorking, isQuiet }: Tried,
): TurnEnding | undefined {
  const { state, inbox, parts } = look;
  if (look.isGone) return deleted;
  if (state === "parked" && !inbox.some(({ message }) => message.kind === "cancel")) return endingOfNotice(parts);
  const isRead = messages.unread.size === 0;
  if (state === "idle" && isRead) return endingOfIdle(look, messages, isWorking);
  const isStill = !isWorking && (isQuiet || isStepOver(look));
  if (state === "waiting" && isStill && waitsForOthers(look, messages, recovery)) return { status: "waiting" };
  if (recovery?.type !== "broken") return undefined;
  return isRead || recovery.ending.status === "failed" ? recovery.ending : undefined;
}

export const deleted: TurnEnding = { status: "failed", code: "deleted", message: "The conversation was deleted." };

function openNotice(parts: Parts): NoticePart | undefined {
  const last = parts.at(-1);
  return last?.type === "notice" && last.open ? last : undefined;
}

function endingOfNotice(parts: Parts): TurnEnding {
  const notice = openNotice(parts);
  const told = notice && { code: notice.code, message: notice.message };
  return { status: notice?.parked ? "parked" : "failed", ...told };
}

function endingOfIdle({ parts, recent }: TurnLook, messages: ReadMessages, isWorking: boolean): TurnEnding | undefined {
  const { refusal } = messages;
  if (refusal !== undefined) return { status: "failed", code: "refused", message: refusal };
  if (!openNotice(parts)) return recent.map(endingOfEvent).findLast((ending) => ending) ?? { status: "completed" };
  // An older notice stands until something comes of the message.
  const at = recent.findLast((event) => event.type === "record" && event.kind === "notice")?.seq ?? 0;
  return !isWorking && at > messages.last ? endingOfNotice(parts) : undefined;
}

/** Whether a run has left the calls to others: then it stores what the step has used. A run at a terminal goes on while it asks. */
function isStepOver({ recent }: TurnLook): boolean {
  const used = recent.findLast((event) => event.type === "record" && event.kind === "usage")?.seq ?? 0;
  return used > (recent.findLast(({ type }) => type === "call")?.seq ?? 0);
}

/** Whether everything that can be done before the open questions are answered is done. */
function waitsForOthers({ parts, inbox }: TurnLook, messages: ReadMessages, recovery: Recovery | undefined): boolean {
  const unread = inbox.filter(({ id }) => messages.unread.has(id));
  // Words wait until the questions are answered.
  if (unread.some(({ message }) => "question" in message || message.kind === "cancel")) return false;
  if (recovery?.type === "ended" && recovery.status === "waiting") return true;
  const open = parts.filter((part): part is CallPart => part.type === "call" && part.open === true);
  return open.every(({ state }) => state === "waiting" || state === "done");
}
