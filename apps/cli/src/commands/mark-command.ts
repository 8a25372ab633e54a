import { note } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { findConversation } from "../place/store/find-conversation.ts";
import { withHistory } from "../place/store/with-history.ts";
import { markPoint, unmarkPoint } from "../work/names/mark-point.ts";

export interface MarkCommandOptions {
  store: string;
  /** Which point, as `pointOf` reads it. */
  at?: string;
  /** Takes the name back. */
  remove?: true;
}

/**
 * `cogency mark`: names a point of a conversation, which `tree` shows and `fork` and `rewind` take.
 *
 * @throws UsageError for an unknown conversation or point, and what is no name
 */
export async function markCommand(wanted: string, name: string, options: MarkCommandOptions): Promise<void> {
  const { store: place, at, remove } = options;
  await withHistory(options, async (store) => {
    const key = { conversation: await findConversation(wanted, store, place) };
    const [done = "", ...more] = remove ? await unmarkPoint(key, name, store) : await markPoint(key, name, store, at);
    await put(`${done}\n`);
    for (const sentence of more) note(sentence);
  });
}
