import type { Agent } from "@cogency/agent";
import type { MessageContent, Store } from "@cogency/storage";
import { isRunAtWork } from "../place/store/run-at-work.ts";

/** What became of a message: a run took it, or refused it and says why; or it waits, and whether a run is at work that may take it. */
export type Posted = { state: "taken" } | { state: "refused"; why: string } | { state: "waits"; isRunning: boolean };

/** Sends a message to a conversation, and waits at most `patience` milliseconds until the run at work there has taken it. */
export async function post(
  agent: Agent,
  store: Store,
  conversation: string,
  message: MessageContent,
  patience = 5000,
): Promise<Posted> {
  const key = { conversation };
  const after = (await store.load(key, { last: 1 })).at(-1)?.seq ?? 0;
  const isRunning = await isRunAtWork(store, conversation);
  const id = await agent.send(key, message);
  if (!isRunning) return { state: "waits", isRunning };
  // Each way to take a message leaves a record of it in the log.
  for await (const event of store.follow(key, { after, signal: AbortSignal.timeout(patience) })) {
    if (event.type !== "record" || event.kind !== "message" || event.data?.id !== id) continue;
    const { refused } = event.data;
    return refused === undefined ? { state: "taken" } : { state: "refused", why: String(refused) };
  }
  return { state: "waits", isRunning };
}
