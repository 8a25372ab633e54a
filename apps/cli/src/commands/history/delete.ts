import { existsSync } from "node:fs";
import type { Key, Store, StoredEvent } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { put } from "../../base/terminal/output.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { agentLogs } from "../../place/store/agent-logs.ts";
import { storeFolder } from "../../place/store/store-folder.ts";
import { undoFolder } from "../../place/store/undo-folder.ts";
import { unknownConversation } from "../../place/store/unknown-conversation.ts";
import { type HistoryOptions, withHistory } from "../../place/store/with-history.ts";
import { isAgreed } from "../is-agreed.ts";

export interface DeleteOptions extends HistoryOptions {
  /** Deletes without asking. */
  yes?: true;
}

/**
 * `cogency history delete`. Deletes nothing unless all of the conversations exist.
 *
 * @throws UsageError if one does not exist, or if there is no terminal to ask at
 */
export async function deleteHistory(conversations: readonly string[], options: DeleteOptions): Promise<void> {
  const { store: place, user, yes } = options;
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (!yes && !canAsk)
    throw new UsageError("There is no terminal to ask at. Give --yes to delete without being asked.");
  await withHistory(options, async (store) => {
    const names = [...new Set(conversations)];
    const lines = await Promise.all(names.map((conversation) => described({ conversation, user }, store, place)));
    if (!yes && !(await isAgreed(lines, { input: process.stdin, output: process.stderr })))
      return put("Nothing was deleted.\n");
    const deleted: string[] = [];
    try {
      for (const [index, conversation] of names.entries()) {
        await deleteAgents({ conversation, user }, store, place);
        await forgetCopies({ conversation, user }, place);
        if (await store.delete({ conversation, user })) deleted.push(`deleted ${lines[index]}\n`);
      }
    } finally {
      // Prints last: a reader who leaves ends the command, which must not stop half-way.
      await put(deleted.join(""));
    }
  });
}

/** The conversations of the agents that its calls have started: no list shows them, and nobody else could delete them. */
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

async function described(key: Key, store: Store, place: string): Promise<string> {
  const last = (await store.load(key, { last: 1 })).at(-1);
  if (!last) throw await unknownConversation(key, store, place);
  return `${oneLine(key.conversation, 60)} · ${extentOf(last)}`;
}

function extentOf({ seq, timestamp }: StoredEvent): string {
  return `${counted(seq, "event")}, last ${when(timestamp)}`;
}
