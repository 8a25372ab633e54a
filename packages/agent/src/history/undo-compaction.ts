import type { LogEvent } from "@cogency/protocol";
import type { Key, Store } from "@cogency/storage";
import { outlineOf } from "./outline.ts";

/**
 * Takes the last compaction of a conversation back: requests show again what they showed before it. The events that it stood for were in
 * the log all the time. A run that then fills the window compacts again, so give its `compaction` a larger one.
 *
 * @returns whether there was one
 * @throws LeaseHeldError while a run holds the conversation; StoreError
 */
export async function undoCompaction(store: Store, { conversation, user }: Key): Promise<boolean> {
  const key = { conversation, user };
  const lease = await store.lease(key, { owner: `undo-compaction-${crypto.randomUUID()}`, ttl: 30_000 });
  try {
    const log = await store.load(key);
    const { summaries } = outlineOf(log);
    const last = summaries.at(-1);
    if (!last?.upTo) return false;
    const before = summaries.findLast(({ upTo }) => upTo < last.upTo) ?? { upTo: 0, text: "" };
    const record: LogEvent = { type: "record", kind: "summary", data: { ...before }, timestamp: Date.now() / 1000 };
    await store.append(key, [record], { expected: log.length, lease });
    return true;
  } finally {
    await lease.release();
  }
}
