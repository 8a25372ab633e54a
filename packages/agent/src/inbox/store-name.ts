import type { RecordEvent } from "@cogency/protocol";
import { isPointName } from "@cogency/protocol/host";
import { isLeaseHeldError, type Key, type MessageContent, type Store } from "@cogency/storage";

/** A message that names a conversation, or a point of it. */
export type NameMessage = Extract<MessageContent, { kind: "title" | "point" }>;

/**
 * Stores the name of a conversation, or of a point of it: at once, or by a message where a run holds the log, because nobody else may
 * write it then. The run stores it before its next request or at its end; if it dies first, whoever goes on does.
 *
 * @param send posts the message with a proof, as `agent.send` does
 * @returns `"stored"`, or `"sent"` where it waits in the inbox
 * @throws StoreError
 */
export async function storeName(
  store: Pick<Store, "append">,
  { conversation, user }: Key,
  name: NameMessage,
  send: (name: NameMessage) => Promise<unknown>,
): Promise<"stored" | "sent"> {
  try {
    await store.append({ conversation, user }, [nameRecord(name, Date.now() / 1000)]);
    return "stored";
  } catch (error) {
    if (!isLeaseHeldError(error)) throw error;
  }
  await send(name);
  return "sent";
}

export function nameRecord(name: NameMessage, timestamp: number): RecordEvent {
  if (name.kind === "title") return { type: "record", kind: "title", data: { text: name.content }, timestamp };
  return { type: "record", kind: "point", data: { name: name.content, at: name.at }, timestamp };
}

/** What is wrong with the message that names a point, as a sentence; undefined if nothing is. */
export function nameFault({ content, at }: Extract<NameMessage, { kind: "point" }>): string | undefined {
  if (!isPointName(content)) return "The name of a point has 1 to 60 visible characters on one line.";
  return Number.isSafeInteger(at) && at >= 0 ? undefined : "Its `at` is not a number of events.";
}
