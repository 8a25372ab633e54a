import { type Changes, createChanges } from "@cogency/storage";
import type { Pool } from "../database/connect.ts";
import { sha256 } from "../rows/names.ts";
import { announcer } from "./announcer.ts";

/** Tells followers, here and in other processes, that a log has changed. */
export interface Notifications {
  /** Wakes those who wait here at once and tells other processes without keeping the caller. */
  announce(key: Buffer): void;
  /** Resolves at the next change of the log, perhaps without one, and when `signal` is aborted. */
  next(key: Buffer, signal: AbortSignal | undefined): Promise<void>;
  /** Counts one who follows: while there is one, a connection beside the pool listens. */
  enter(): void;
  leave(): void;
  /** Wakes everybody and waits until what was announced is told. */
  close(): Promise<void>;
}

/**
 * Over NOTIFY. A notification may be lost, with the process that should have sent it or with the listening connection:
 * therefore everybody is woken when that connection is there again, and every `pollInterval` milliseconds.
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
    const client = pool.connectBeside();
    const timer = setInterval(wakeAll, pollInterval);
    const heard = (payload: string) => {
      const [sender, name = ""] = payload.split(" ");
      // Those here were woken when it was announced.
      if (sender !== outgoing.sender) wake(name);
    };
    // The client listens again by itself when the connection was lost; until then there is the timer.
    client.sql.listen(channel, heard, wakeAll).catch(() => {});
    return () => {
      clearInterval(timer);
      client.end().catch(() => {});
    };
  }
}

/** A hash, so that it fits into the 63 bytes of a name for every schema. */
function channelOf(schema: string): string {
  return `cogency_${nameOf(sha256(schema))}`;
}

/** Half of a hash: a name that means two logs would only wake somebody in vain. */
function nameOf(key: Buffer): string {
  return key.toString("base64url", 0, 16);
}
