import type { ConversationSummary, Store } from "@cogency/storage";
import { wholeCount } from "@cogency/storage/adapter";
import type { Database } from "./database/database.ts";
import { keyNames, limitOf, userNames } from "./rows/names.ts";

export function prepareConversations({ schema, run, refuseIfClosed }: Database): Store["conversations"] {
  // One range of the index. Conversations without a position have no events.
  const statement = `SELECT name, title, events, created_at, updated_at FROM ${schema}.conversations
    WHERE user_key = $1 AND position < CASE WHEN $2::bytea IS NULL THEN 9223372036854775807
      ELSE (SELECT position FROM ${schema}.conversations WHERE key = $2) END
    ORDER BY position DESC LIMIT $3`;

  return async ({ user, limit = 50, before } = {}) => {
    refuseIfClosed();
    const most = wholeCount("limit", limit);
    const { userKey } = userNames(user);
    const start = before === undefined ? null : keyNames({ conversation: before, user }).key;
    const rows = await run(statement, [userKey, start, limitOf(most)]);
    return rows.map(
      ([name, title, events, createdAt, updatedAt]): ConversationSummary => ({
        conversation: String(JSON.parse(String(name))),
        ...(user === undefined ? {} : { user }),
        title: String(title),
        events: Number(events),
        createdAt: Number(createdAt),
        updatedAt: Number(updatedAt),
      }),
    );
  };
}
