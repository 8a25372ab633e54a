import { type NameMessage, storeName } from "@cogency/agent/history";
import type { Key, Store } from "@cogency/storage";
import { agentWithoutModel } from "../agent-without-model.ts";

/**
 * Stores the name of a conversation, or of a point of it; where a run holds the log, it is sent to that run.
 *
 * @returns what a person should know of it besides; undefined if it is stored
 * @throws StoreError
 */
export async function giveName(key: Key, name: NameMessage, store: Store): Promise<string | undefined> {
  const send = async (message: NameMessage) => (await agentWithoutModel(store)).send(key, message);
  const done = await storeName(store, key, name, send);
  return done === "stored" ? undefined : "A run is at work: it stores the name before its next request, or at its end.";
}
