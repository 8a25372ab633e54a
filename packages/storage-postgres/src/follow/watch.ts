import type { Store } from "@cogency/storage";
import { watchConversation } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { keyNames, postsOf } from "../rows/names.ts";
import { conversationStates } from "./conversation-states.ts";
import { listening } from "./listening.ts";
import type { Notifications } from "./notifications.ts";

/**
 * A notification may be lost, and one that wakes all may come without a change. So every wake compares the state of the
 * conversation with the one that was read before the last yield.
 */
export function prepareWatch(database: Database, notifications: Notifications): Store["watch"] {
  const { refuseIfClosed } = database;
  const readers = { all: conversationStates(database, "all"), posts: conversationStates(database, "posts") };

  return (key, { of = "all", signal: ending } = {}) => {
    const readState = readers[of];
    const { key: keyHash } = keyNames(key);
    const announced = of === "posts" ? postsOf(keyHash) : keyHash;
    let seen: string | undefined;
    const change = async (signal: AbortSignal | undefined) => {
      while (!signal?.aborted) {
        // Waits before it reads: otherwise it would miss a change between the two.
        const next = notifications.next(announced, signal);
        const state = await readState(keyHash);
        if (state !== seen) {
          seen = state;
          return;
        }
        await next;
      }
    };
    const changes = watchConversation({ refuseIfClosed, change }, { signal: ending });
    return listening(notifications, {
      async next() {
        seen ??= await readState(keyHash);
        return changes.next();
      },
      return: async () => (await changes.return?.()) ?? { done: true, value: undefined },
      [Symbol.asyncIterator]() {
        return this;
      },
    });
  };
}
