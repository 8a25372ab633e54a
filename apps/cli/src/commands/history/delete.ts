import type { Key, Store, StoredEvent } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { put } from "../../base/terminal/output.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { when } from "../../person/show/when.ts";
import { deleteConversation } from "../../place/store/delete-conversation.ts";
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
        if (await deleteConversation({ conversation, user }, store, place)) deleted.push(`deleted ${lines[index]}\n`);
      }
    } finally {
      // Prints last: a reader who leaves ends the command, which must not stop half-way.
      await put(deleted.join(""));
    }
  });
}

async function described(key: Key, store: Store, place: string): Promise<string> {
  const last = (await store.load(key, { last: 1 })).at(-1);
  if (!last) throw await unknownConversation(key, store, place);
  return `${oneLine(key.conversation, 60)} · ${extentOf(last)}`;
}

function extentOf({ seq, timestamp }: StoredEvent): string {
  return `${counted(seq, "event")}, last ${when(timestamp)}`;
}
