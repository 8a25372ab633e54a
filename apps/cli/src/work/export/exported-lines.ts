import { type Key, type Redact, redactEvent, type Store, type StoredEvent, StoreError } from "@cogency/storage";
import { jsonLine } from "../../base/terminal/output.ts";
import { type ConversationHeader, exportVersion } from "./export-format.ts";
import { withoutProof } from "./without-proof.ts";

/**
 * Yields the lines of conversations (export-format.ts), each with its line feed. A conversation that was deleted meanwhile
 * is left out. Proofs are left out: with them, a file could pass for a log of this installation, or approve calls.
 *
 * @throws StoreError if a conversation is deleted while it is read
 */
export async function* exportedLines(
  keys: readonly Key[],
  store: Store,
  redact: Redact | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (const key of keys) {
    const { conversation, user } = key;
    const events = (await store.load(key, { last: 1 })).at(-1)?.seq;
    if (events === undefined) continue;
    const header: ConversationHeader = {
      type: "conversation",
      version: exportVersion,
      conversation,
      ...(user !== undefined && { user }),
      events,
    };
    yield `${jsonLine(header)}\n`;
    for await (const { seq, ...event } of beginning(key, events, store, signal)) {
      const unsigned = withoutProof(event);
      yield `${jsonLine({ ...(redact ? redactEvent(unsigned, redact) : unsigned), seq })}\n`;
    }
  }
}

/** The first so many events, read with `follow`, which reads a long conversation in pages. */
async function* beginning(key: Key, count: number, store: Store, signal: AbortSignal): AsyncGenerator<StoredEvent> {
  const events = count <= shortest ? await store.load(key) : store.follow(key, { signal });
  let seen = 0;
  for await (const event of events) {
    yield event;
    seen = event.seq;
    if (seen === count) return;
  }
  signal.throwIfAborted();
  throw new StoreError("unavailable", `The conversation "${key.conversation}" was deleted while it was exported.`);
}

const shortest = 1000;
