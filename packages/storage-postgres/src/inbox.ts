import { type InboxMessage, MessageConflictError, type Store, type StoredMessage, StoreError } from "@cogency/storage";
import { finiteTime, messageText } from "@cogency/storage/adapter";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import type { DueNotices } from "./follow/due-notices.ts";
import type { Notifications } from "./follow/notifications.ts";
import { isTooLarge, keyNames, longestText, postsOf, scopeKey, sha256 } from "./rows/names.ts";

export function prepareInbox(
  { schema, location, run, refuseIfClosed }: Database,
  notifications: Notifications,
  dueNotices: DueNotices,
): Pick<Store, "post" | "inbox"> {
  const post = `SELECT outcome FROM ${schema}.post($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
  const read = `SELECT id, message, posted_at, at FROM ${schema}.inbox
    WHERE conversation = (SELECT id FROM ${schema}.conversations WHERE key = $1) AND message IS NOT NULL
      AND (at = posted_at OR at <= date_part('epoch', statement_timestamp()) * 1000)
    ORDER BY seq`;

  return {
    async post(key, message, { id, at, scope }) {
      refuseIfClosed();
      const text = messageText(message);
      if (at !== undefined) finiteTime("at", at);
      if (isTooLarge([text, id])) throw tooLarge();
      const { key: keyHash, user, name } = keyNames(key);
      const idText = JSON.stringify(id);
      const hashes = [sha256(idText), idText, text, sha256(text)];
      const [[outcome] = []] = await run(post, [keyHash, user, name, scopeKey(scope), ...hashes, at ?? null]);
      if (outcome === "used") throw new MessageConflictError(id, "used");
      if (outcome !== "posted") return;
      notifications.announce(keyHash);
      notifications.announce(postsOf(keyHash));
      dueNotices.announce();
    },

    async inbox(key) {
      const rows = await run(read, [keyNames(key).key]);
      return rows.map(
        ([id, text, postedAt, at]): StoredMessage => ({
          id: String(parse(id)),
          message: parse(text) as InboxMessage,
          postedAt: Number(postedAt),
          at: Number(at),
        }),
      );
    },
  };

  function parse(text: unknown): unknown {
    try {
      return JSON.parse(String(text));
    } catch {
      // No `cause`: its message would quote the text.
      throw damaged(location, "a message is not JSON");
    }
  }
}

function tooLarge(): StoreError {
  return new StoreError(
    "invalid_message",
    `The message has more than ${longestText} characters as JSON, which PostgreSQL cannot take. Nothing was stored.`,
  );
}
