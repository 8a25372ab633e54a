import { type Changes, createChanges } from "@cogency/storage/adapter";
import type { Pool } from "../database/connect.ts";
import { sha256 } from "../rows/names.ts";
import { announcer } from "./announcer.ts";

/** Wakes followers in this and other processes when a log has changed. */
export interface Notifications {
  /** Wakes followers in this process at once, and notifies other processes in the background. */
  announce(key: Buffer): void;
  /** Wakes followers in this process only. */
  wake(key: Buffer): void;
  /** Resolves at the next change of the log, or when `signal` is aborted. May also resolve without a change. */
  next(key: Buffer, signal: AbortSignal | undefined): Promise<void>;
  /** Counts a follower. While there is one, a connection beside the pool listens. */
  enter(): void;
  leave(): void;
  /** Wakes all followers and waits until all announcements are sent. */
  close(): Promise<void>;
}

/**
 * Uses NOTIFY. A notification is lost if the sending process or the listening connection fails. Therefore all followers
 * also wake after every reconnect and every `pollInterval` milliseconds.
 */
export function notificationsOver(pool: Pool, schema: string, pollInterval: number): Notifications {
  const channel = channelOf(schema);
  const outgoing = announcer(pool, channel);
  const waiting = new Map<string, { changes: Changes; count: number }>();
  let followers = 0;
  let stopListening: (() => void) | undefined;

  return {
    announce(key) {
      const name = nameOf(key);
      wake(name);
      outgoing.announce(name);
    },

    wake: (key) => wake(nameOf(key)),

    async next(key, signal) {
      const name = nameOf(key);
      const entry = waiting.get(name) ?? { changes: createChanges(), count: 0 };
      waiting.set(name, entry);
      entry.count++;
      await entry.changes.next(signal);
      entry.count--;
      if (entry.count === 0 && waiting.get(name) === entry) waiting.delete(name);
    },

    enter() {
      followers++;
      stopListening ??= listen();
    },

    leave() {
      followers--;
      if (followers > 0) return;
      stopListening?.();
      stopListening = undefined;
    },

    async close() {
      stopListening?.();
      stopListening = undefined;
      wakeAll();
      await outgoing.close();
    },
  };

  function wake(name: string): void {
    waiting.get(name)?.changes.announce();
  }

  function wakeAll(): void {
    for (const { changes } of [...waiting.values()]) changes.announce();
  }

  function listen(): () => void {
    const timer = setInterval(wakeAll, pollInterval);
    const receive = (payload: string) => {
      const [sender, name = ""] = payload.split(" ");
      // `announce` has already woken the followers in this process.
      if (sender !== outgoing.sender) wake(name);
    };
    // After a lost connection the client listens again by itself. Until then the timer wakes the followers.
    const open = () => {
      const opened = pool.connectBeside({ stuck: () => isOpen && reopen() });
      opened.sql.listen(channel, receive, wakeAll).catch(() => {});
      return opened;
    };
    const reopen = () => {
      client.end().catch(() => {});
      client = open();
    };
    let isOpen = true;
    let client = open();
    return () => {
      isOpen = false;
      clearInterval(timer);
      client.end().catch(() => {});
    };
  }
}

/** A hash, so that the channel of every schema fits into the 63 bytes of a name. */
function channelOf(schema: string): string {
  return `cogency_${nameOf(sha256(schema))}`;
}

/** Part of the hash. Two logs with the same name would only wake followers without need. */
function nameOf(key: Buffer): string {
  return key.toString("base64url", 0, 16);
}
