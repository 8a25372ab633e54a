import { type ConversationSummary, type ConversationsOptions, wholeCount } from "@cogency/storage";
import type { Connection } from "./connection.ts";
import { conversationColumns, conversationOf } from "./conversation-row.ts";
import { damaged } from "./damaged.ts";
import { limitOf } from "./limit-of.ts";
import { nameText, userText } from "./names.ts";
import { eventColumns, storedEvent } from "./stored-event.ts";

export type Conversations = (
  options: ConversationsOptions | undefined,
) => ConversationSummary[] | Promise<ConversationSummary[]>;

export function prepareConversations({ database, path, read }: Connection): Conversations {
  // One range on (user, position), whether it begins at the top or somewhere below, and one seek a conversation.
  const list = database.prepare(`
    SELECT ${conversationColumns}, ${eventColumns}
    FROM conversations LEFT JOIN events
      ON place = (SELECT max(place) FROM events WHERE place BETWEEN id << 32 AND id << 32 | 4294967295)
    WHERE user = $user
      AND position < iif($before IS NULL, 9e15, (SELECT position FROM conversations WHERE user = $user AND name = $before))
    ORDER BY position DESC LIMIT $limit`);

  return ({ user, limit = 50, before } = {}) => {
    const most = wholeCount("limit", limit);
    const start = before === undefined ? null : nameText(before);
    const wanted = { user: userText(user), before: start, limit: limitOf(most) };
    return read(() => list.all(wanted).map((row) => summaryOf(row, user)));
  };

  function summaryOf(row: Record<string, unknown>, user: string | undefined): ConversationSummary {
    const { conversation, title, createdAt } = conversationOf(row, path);
    if (row.seq === null) throw damaged(path, `conversation ${JSON.stringify(conversation)} has lost its events`);
    const { seq, timestamp } = storedEvent(row, path);
    return {
      conversation,
      ...(user === undefined ? {} : { user }),
      title,
      events: seq,
      createdAt,
      updatedAt: timestamp,
    };
  }
}
