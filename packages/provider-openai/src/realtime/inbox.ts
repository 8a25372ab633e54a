import { ProviderError } from "@cogency/provider";
import { duration, startTimer, type Timer } from "@cogency/provider/http";
import type { RawData, WebSocket } from "ws";
import { parseServerEvent, type ServerEvent } from "./server-event.ts";

/** The events of a socket, in their order, for one who asks for them. */
export interface Inbox {
  /** From now on what arrives is kept for `next`, as it is at first. */
  attend(): void;
  /** Nobody is going to read: what has arrived and what arrives is dropped. A `next` that waits gets nothing. */
  ignore(): void;
  /**
   * The next event, or undefined once the socket is closed and all that came has been read. Pings and pongs count as
   * signs of life.
   *
   * @throws ProviderError `timeout` if nothing arrives for `idle` milliseconds, `bad_response` if it is no event
   */
  next(idle: number): Promise<ServerEvent | undefined>;
  /** Whether the other side still answers: a sign of life within `recent` milliseconds, or within `patience` if asked. */
  isAlive(recent: number, patience: number): Promise<boolean>;
}

/** A stalled reader stops the socket: no more than about this many events are kept for it. */
const manyEvents = 64;

export function createInbox(socket: WebSocket, host: string): Inbox {
  let queue: RawData[] = [];
  let waiting: { timer: Timer; wake(): void } | undefined;
  let isAttended = true;
  let isOver = false;
  let heardAt = Date.now();

  const hear = () => {
    heardAt = Date.now();
    waiting?.timer.refresh();
  };
  socket.on("ping", hear);
  socket.on("pong", hear);
  socket.on("message", (data) => {
    hear();
    if (!isAttended) return;
    queue.push(data);
    if (queue.length >= manyEvents) socket.pause();
    waiting?.wake();
  });
  socket.on("close", () => {
    isOver = true;
    waiting?.wake();
  });
  // A close follows each; without a listener it would be thrown.
  socket.on("error", () => {});

  function arrival(idle: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = startTimer(idle, () => {
        waiting = undefined;
        reject(new ProviderError("timeout", `${host} sent nothing for ${duration(idle)}.`));
      });
      const wake = () => {
        waiting = undefined;
        timer.stop();
        resolve();
      };
      waiting = { timer, wake };
    });
  }

  return {
    attend() {
      isAttended = true;
    },
    ignore() {
      isAttended = false;
      queue = [];
      socket.resume();
      waiting?.wake();
    },
    async next(idle) {
      if (queue.length === 0 && !isOver) await arrival(idle);
      const data = queue.shift();
      if (data === undefined) return undefined;
      if (queue.length === 0 && socket.isPaused) socket.resume();
      const event = parseServerEvent(data.toString());
      if (!event) throw new ProviderError("bad_response", `${host} sent what is no event: it does not speak Realtime.`);
      return event;
    },
    isAlive(recent, patience) {
      if (Date.now() - heardAt < recent) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (isAlive: boolean) => () => {
          timer.stop();
          for (const sign of signs) socket.off(sign, heard);
          socket.off("close", lost);
          resolve(isAlive);
        };
        const [heard, lost] = [end(true), end(false)];
        const timer = startTimer(patience, lost);
        for (const sign of signs) socket.on(sign, heard);
        socket.on("close", lost);
        socket.ping();
      });
    },
  };
}

const signs = ["message", "ping", "pong"] as const;
