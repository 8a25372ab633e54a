import { inTime, wait } from "@cogency/async";
import { noAnswer } from "../database/answer-watch.ts";
import type { Pool } from "../database/connect.ts";
import { quoteIdentifier } from "../database/quote.ts";

/** Listens to any number of channels over one connection beside the pool, which is open while somebody listens. */
export interface Listener {
  /** Listens until the returned function is called. A channel has one handler; a second one replaces the first. */
  listen(channel: string, handler: ChannelHandler): () => void;
}

export interface ChannelHandler {
  receive(payload: string): void;
  /** Called whenever the server begins to send: at first, and after each reconnect. What was sent before is lost. */
  listening(): void;
}

export function listenerOver(pool: Pool): Listener {
  const handlers = new Map<string, ChannelHandler>();
  let line: Line | undefined;

  return {
    listen(channel, handler) {
      handlers.set(channel, handler);
      line ??= openLine(pool, handlers);
      line.update();
      return () => {
        if (handlers.get(channel) !== handler) return;
        handlers.delete(channel);
        if (handlers.size > 0) return line?.update();
        line?.end();
        line = undefined;
      };
    },
  };
}

interface Line {
  /** Tells the server which channels are wanted now. */
  update(): void;
  end(): void;
}

/**
 * `listen` of `postgres` 3.4.9 would do for channels that nobody leaves: after a reconnect its `unlisten` does nothing, and it sends a
 * statement for each channel.
 */
function openLine(pool: Pool, wanted: ReadonlyMap<string, ChannelHandler>): Line {
  const ending = new AbortController();
  /** What the connection listens to; another map after each reconnect. */
  let heard = new Map<string, ChannelHandler>();
  let lose = () => {};
  let isTelling = false;
  let client = open();

  return {
    update,
    end() {
      ending.abort();
      lose();
      client.end().catch(() => {});
    },
  };

  function open() {
    const opened = pool.connectBeside({
      stuck: () => opened === client && reopen(),
      settings: {
        idle_timeout: 0,
        max_lifetime: null,
        onnotify: (channel: string, payload: string) => wanted.get(channel)?.receive(payload),
        onclose: () => opened === client && lost(),
      },
    });
    return opened;
  }

  function reopen(): void {
    if (ending.signal.aborted) return;
    client.end().catch(() => {});
    client = open();
    lost();
  }

  function lost(): void {
    heard = new Map();
    lose();
    update();
  }

  function update(): void {
    if (!isTelling && !ending.signal.aborted) void tell();
  }

  async function tell(): Promise<void> {
    isTelling = true;
    // Many channels that come at once are one statement.
    await undefined;
    while (!ending.signal.aborted) {
      const present = heard;
      const added = [...wanted].filter(([channel, handler]) => present.get(channel) !== handler);
      const dropped = [...present.keys()].filter((channel) => !wanted.has(channel));
      if (added.length + dropped.length === 0) break;
      const statements = [
        ...added.map(([channel]) => `LISTEN ${quoteIdentifier(channel)}`),
        ...dropped.map((channel) => `UNLISTEN ${quoteIdentifier(channel)}`),
      ];
      const isDone = await carriedOut(statements.join(";"));
      if (present !== heard) continue;
      if (!isDone) {
        await wait(pause, ending.signal);
        continue;
      }
      for (const channel of dropped) present.delete(channel);
      for (const [channel, handler] of added) {
        present.set(channel, handler);
        if (wanted.get(channel) === handler) handler.listening();
      }
    }
    isTelling = false;
  }

  /** Also false when the connection is lost: the client may then have forgotten the statement. */
  async function carriedOut(statement: string): Promise<boolean> {
    const isLost = new Promise<boolean>((resolve) => {
      lose = () => resolve(false);
    });
    const isAnswered = client.sql.unsafe(statement).then(
      () => true,
      () => false,
    );
    return inTime(Promise.race([isAnswered, isLost]), longestAnswer, () => noAnswer(longestAnswer)).catch(() => {
      reopen();
      return false;
    });
  }
}

/** Milliseconds after the server has refused a statement. */
const pause = 1_000;
/** Milliseconds for the server to answer. */
const longestAnswer = 30_000;
