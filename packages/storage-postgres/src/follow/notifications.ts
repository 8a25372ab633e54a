import { type Changes, createChanges } from "@cogency/storage/adapter";
import type { Pool } from "../database/connect.ts";
import { sha256 } from "../rows/names.ts";
import { announcer } from "./announcer.ts";
import type { Listener } from "./listener.ts";

/** Wakes followers in this and other processes when a log has changed. */
export interface Notifications {
  /** Wakes followers in this process at once, and notifies other processes in the background. */
  announce(key: Buffer): void;
  /** Wakes followers in this process only. */
  wake(key: Buffer): void;
  /** Resolves at the next change of the log, or when `signal` is aborted. May also resolve without a change. */
  next(key: Buffer, signal: AbortSignal | undefined): Promise<void>;
  /** Counts a follower. While there is one, the listener listens. */
  enter(): void;
  leave(): void;
  /** Wakes all followers and waits until all announcements are sent. */
  close(): Promise<void>;
}

/**
 * Uses NOTIFY. A notification is lost if the sending process or the listening connection fails. Therefore all followers
 * also wake after every reconnect and every `pollInterval` milliseconds.
 */
export function notificationsOver(pool: Pool, listener: Listener, schema: string, pollInterval: number): Notifications {
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
    // While no connection listens, the timer wakes the followers.
    const stop = listener.listen(channel, { receive, listening: wakeAll });
    return () => {
      clearInterval(timer);
      stop();
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
