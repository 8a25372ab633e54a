import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "../database/connect.ts";
import { arrayLiteral } from "../database/quote.ts";

export interface Announcer {
  /** Stands at the beginning of everything it sends. */
  sender: string;
  announce(name: string): void;
  /** Resolves when everything is sent that was announced, at the latest after a second. */
  close(): Promise<void>;
}

/**
 * Sends names over a channel of the server, after the commit that they tell of: a commit that notifies waits for every
 * other one on the server. One statement is on the way at a time and carries all names since the one before, at most
 * twenty in a second. A failure is left at that: followers look by themselves from time to time.
 */
export function announcer(pool: Pool, channel: string): Announcer {
  const sender = randomUUID();
  const names = new Set<string>();
  const closing = new AbortController();
  let sending: Promise<void> | undefined;

  return {
    sender,
    announce(name) {
      names.add(name);
      sending ??= send();
    },
    async close() {
      closing.abort();
      await Promise.race([sending, sleep(patience, undefined, { ref: false })]);
    },
  };

  async function send(): Promise<void> {
    while (names.size > 0) {
      const payloads = Array.from(names, (name) => `${sender} ${name}`);
      names.clear();
      await pool.query(statement, [channel, arrayLiteral(payloads)]).catch(() => {});
      await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
    sending = undefined;
  }
}

/** Nothing is lost with a notification: its commit need not wait for the disk. */
const statement = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
  FROM unnest($2::text[]) AS u (payload)`;
const pause = 50;
const patience = 1_000;
