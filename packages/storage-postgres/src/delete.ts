import type { Store } from "@cogency/storage";
import type { Database } from "./database/database.ts";
import type { Notifications } from "./follow/notifications.ts";
import { keyNames, postsOf } from "./rows/names.ts";

export function prepareDelete({ schema, run, attempt }: Database, notifications: Notifications): Store["delete"] {
  const find = `SELECT id, events > 0 OR scope IS NOT NULL FROM ${schema}.conversations WHERE key = $1`;
  const remove = `SELECT had_events FROM ${schema}.delete_conversation($1)`;

  return async (key) => {
    const { key: keyHash } = keyNames(key);
    const [found] = await run(find, [keyHash]);
    if (!found) return false;
    const [id, wasWritten] = found;
    let isRepeated = false;
    // Deletes by id: a lost attempt that arrives late must not remove a newer conversation of the same name.
    const [[deleted] = []] = await attempt((isRetry) => {
      isRepeated ||= isRetry;
      return [remove, [String(id)]];
    });
    notifications.announce(keyHash);
    notifications.announce(postsOf(keyHash));
    return deleted === true || (deleted === null && isRepeated && wasWritten === true);
  };
}
