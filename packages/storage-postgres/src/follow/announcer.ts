import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { settlesWithin } from "@cogency/async";
import type { Pool } from "../database/connect.ts";
import { arrayLiteral } from "../database/quote.ts";

export interface Announcer {
  /** The id of this announcer, which starts every message that it sends. */
  sender: string;
  announce(name: string): void;
  /** Resolves when all announcements are sent, at the latest after a second. */
  close(): Promise<void>;
}

/**
 * Sends names over a NOTIFY channel. It sends them after the commit that they announce, because the server runs commits
 * that notify one after another. It sends one statement at a time, at most twenty per second, each with all names since
 * the last one. Failures are ignored: followers also poll.
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
      if (sending) await settlesWithin(sending, longestClose);
    },
  };

  async function send(): Promise<void> {
    // A post announces several names, and the others must not wait for the pause.
    await undefined;
    while (names.size > 0) {
      const payloads = Array.from(names, (name) => `${sender} ${name}`);
      names.clear();
      await pool.query(statement, [channel, arrayLiteral(payloads)]).catch(() => {});
      await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
    sending = undefined;
  }
}

/** Does not wait for the disk: a lost notification loses no data. */
const statement = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
  FROM unnest($2::text[]) AS u (payload)`;
/** Milliseconds between two statements. */
const pause = 50;
/** Milliseconds. */
const longestClose = 1_000;
