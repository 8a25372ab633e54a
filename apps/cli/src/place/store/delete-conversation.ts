import { existsSync } from "node:fs";
import type { Key, Store } from "@cogency/storage";
import { agentLogs } from "./agent-logs.ts";
import { storeFolder } from "./store-folder.ts";
import { undoFolder } from "./undo-folder.ts";

/**
 * Deletes a conversation, those of the agents that its calls have started, and what is kept beside their logs.
 *
 * @returns whether there was one
 */
export async function deleteConversation(key: Key, store: Store, place: string): Promise<boolean> {
  await deleteAgents(key, store, place);
  await forgetCopies(key, place);
  return store.delete(key);
}

/** The conversations of the agents that its calls have started. No list shows them, so they are deleted with it. */
async function deleteAgents(key: Key, store: Store, place: string): Promise<void> {
  const logs = await agentLogs(store, key, await store.load(key, { types: ["record"] }), Number.POSITIVE_INFINITY);
  // Callers last: a command that was killed finds the rest again.
  for (const conversation of [...logs.keys()].reverse()) {
    const agent = { conversation, user: key.user };
    await forgetCopies(agent, place);
    await store.delete(agent);
  }
}

/** Removes what was kept to undo the changes of the conversation, and of the output of its commands. */
async function forgetCopies(key: Key, place: string): Promise<void> {
  await forgetOutput(key, place);
  const folder = undoFolder(place);
  if (folder === undefined || !existsSync(folder)) return;
  const { openUndo } = await import("@cogency/toolbox/undo");
  await openUndo({ folder }).forget(key);
}

async function forgetOutput(key: Key, place: string): Promise<void> {
  const folder = storeFolder(place, "outputs");
  if (folder === undefined || !existsSync(folder)) return;
  const { openKeptOutput } = await import("@cogency/toolbox/shell");
  await openKeptOutput({ folder }).forget(key);
}
