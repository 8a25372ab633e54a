import { settlesWithin, wait } from "@cogency/async";
import type { Pool } from "../database/connect.ts";
import { arrayLiteral } from "../database/quote.ts";

export interface Notice {
  channel: string;
  payload: string;
}

export interface Notifier {
  /** Sends what `take` returns: at once, or after the pause. */
  notify(): void;
  /** Resolves when all is sent, at the latest after a second. */
  close(): Promise<void>;
}

export interface NotifierOptions {
  /** Milliseconds from the start of one statement to the start of the next one. */
  pause: number;
  /** All that is to be sent now. */
  take(): Notice[];
  /** What was taken last may be lost. */
  failed?(): void;
}

/**
 * Sends notifications, one statement at a time, each with all notices since the last one. Never in the transaction of an append: the
 * server runs commits that notify one after another.
 */
export function notifier(pool: Pool, { pause, take, failed = () => {} }: NotifierOptions): Notifier {
  const closing = new AbortController();
  let sending: Promise<void> | undefined;

  return {
    notify() {
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
    for (let notices = take(); notices.length > 0; notices = take()) {
      const start = performance.now();
      const isSent = await sent(notices);
      if (!isSent) failed();
      if (!isSent && closing.signal.aborted) break;
      const time = performance.now() - start;
      await wait(isSent ? Math.max(pause - time, shortestPause) : longPause, closing.signal);
    }
    sending = undefined;
  }

  async function sent(notices: readonly Notice[]): Promise<boolean> {
    const channels = arrayLiteral(notices.map(({ channel }) => channel));
    const payloads = arrayLiteral(notices.map(({ payload }) => payload));
    try {
      await pool.query(statement, [channels, payloads]);
      return true;
    } catch {
      return false;
    }
  }
}

/** Does not wait for the disk: a lost notification loses no data. */
const statement = `SELECT set_config('synchronous_commit', 'off', true), pg_notify(channel, payload)
  FROM unnest($1::text[], $2::text[]) AS u (channel, payload)`;
/** Milliseconds after a statement that took as long as the pause. */
const shortestPause = 5;
/** Milliseconds after a statement that failed. */
const longPause = 500;
/** Milliseconds. */
const longestClose = 1_000;
