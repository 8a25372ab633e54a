import type { ConversationSummary } from "@cogency/storage";
import { type ConversationsOptions, wholeCount } from "@cogency/storage/adapter";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import { placeOfLastEvent } from "./rows/event-place.ts";
import { limitOf } from "./rows/limit-of.ts";
import { nameText, userText } from "./rows/names.ts";
import { conversationColumns, conversationOf, eventColumns, storedEvent } from "./rows/stored-event.ts";

export type Conversations = (
  options: ConversationsOptions | undefined,
) => ConversationSummary[] | Promise<ConversationSummary[]>;

export function prepareConversations({ sqlite, path, read }: Database): Conversations {
  // One range of the index (user, position), and one seek per conversation for its last event.
  const list = sqlite.prepare(`
    SELECT ${conversationColumns}, ${eventColumns}
    FROM conversations LEFT JOIN events
      ON place = ${placeOfLastEvent("id")}
    WHERE user = $user
      AND position < iif($before IS NULL, 9e15, (SELECT position FROM conversations WHERE user = $user AND name = $before))
    ORDER BY position DESC LIMIT $limit`);

  return ({ user, limit = 50, before } = {}) => {
    const most = wholeCount("limit", limit);
    const start = before === undefined ? null : nameText(before);
    const wanted = { user: userText(user), before: start, limit: limitOf(most) };
    // One row at a time: each holds the last event of its conversation, and there may be many.
    return read(() => Array.from(list.iterate(wanted), (row) => summaryOf(row, user)));
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
