import { damaged } from "../database/damaged.ts";
import { rowChecksum } from "./checksum.ts";
import { placeOfLastEvent, seqAt } from "./event-place.ts";

/** The columns that `conversationOf` needs. */
export const conversationColumns = "user, name, title, created_at AS createdAt, conversations.checksum AS rowChecksum";

/** Selects the id of a conversation and the last sequence number of its log, for a user and a name. */
export const selectLogEnd = `
  SELECT id, ${seqAt(placeOfLastEvent("id"))} AS last FROM conversations WHERE user = ? AND name = ?`;

/**
 * Reads the row of a conversation.
 *
 * @throws StoreError `corrupt` if its checksum differs
 */
export function conversationOf(
  { user, name, title, createdAt, rowChecksum: checksum }: Record<string, unknown>,
  path: string,
): { conversation: string; title: string; createdAt: number } {
  const row = { conversation: String(name), title: String(title), createdAt: Number(createdAt) };
  if (rowChecksum(String(user), row.conversation, row.title, row.createdAt) !== checksum) {
    throw damaged(path, "the name or the title of a conversation is not what was stored (its checksum differs)");
  }
  return { ...row, conversation: JSON.parse(row.conversation) as string };
}
