import { randomUUID } from "node:crypto";
import type { Pool } from "../database/connect.ts";
import { notifier } from "./notifier.ts";

export interface Announcer {
  /** The id of this announcer, which starts every message that it sends. */
  sender: string;
  announce(name: string): void;
  /** Resolves when all announcements are sent, at the latest after a second. */
  close(): Promise<void>;
}

/** Sends names over a NOTIFY channel, after the commit that they announce. Failures are ignored: followers also poll. */
export function announcer(pool: Pool, channel: string): Announcer {
  const sender = randomUUID();
  const names = new Set<string>();
  const outgoing = notifier(pool, {
    pause,
    take() {
      const notices = Array.from(names, (name) => ({ channel, payload: `${sender} ${name}` }));
      names.clear();
      return notices;
    },
  });
  return {
    sender,
    announce(name) {
      names.add(name);
      outgoing.notify();
    },
    close: outgoing.close,
  };
}

/** Milliseconds between two statements. */
const pause = 50;
