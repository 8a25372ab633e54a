import { ProviderError } from "@cogency/provider";
import { answerTooLarge, duration, parseJSON, startTimer, type Timer } from "@cogency/provider/http";
import type { RawData, WebSocket } from "ws";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type ServerEvent, toServerEvent } from "./wire.ts";

/** Queues the events of a socket, in their order, for one reader. */
export interface Inbox {
  /** Keeps the events that arrive from now on, as a new inbox does. The count of bytes begins again. */
  keep(): void;
  /** Drops the events in the queue and those that arrive from now on. A `next` that waits resolves to undefined. */
  drop(): void;
  /**
   * The next event; undefined once the socket is closed and the queue is empty. Pings and pongs restart the time limit.
   *
   * @throws ProviderError `timeout` if nothing arrives for `idle` milliseconds, `bad_response` if a message is not an
   * event, `answer_too_large` if a message, or all messages since `keep` together, exceed the limits
   */
  next(idle: number): Promise<ServerEvent | undefined>;
  /** Whether anything arrived in the last `recent` milliseconds, or arrives within `timeout` after a ping. */
  isAlive(recent: number, timeout: number): Promise<boolean>;
}

/** The socket is paused while the queue holds this many events or bytes, so that a stalled reader costs little memory. */
const mostEvents = 64;
const mostBytes = 1_048_576;

export function createInbox(socket: WebSocket, { url: { host }, limits }: Pick<Endpoint, "url" | "limits">): Inbox {
  let queue: RawData[] = [];
  let queued = 0;
  let received = 0;
  let isTooLarge = false;
  let waiting: { timer: Timer; wake(): void } | undefined;
  let isKeeping = true;
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
    if (!isKeeping) return;
    queue.push(data);
    queued += lengthOf(data);
    if (queue.length >= mostEvents || queued >= mostBytes) socket.pause();
    waiting?.wake();
  });
  socket.on("close", () => {
    isOver = true;
    waiting?.wake();
  });
  // A close event follows each error; without a listener the error would be thrown.
  socket.on("error", (error) => {
    isTooLarge ||= "code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
  });

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

  function read(data: RawData): unknown {
    try {
      return parseJSON(data.toString(), host, limits);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  return {
    keep() {
      isKeeping = true;
      received = 0;
    },
    drop() {
      isKeeping = false;
      queue = [];
      queued = 0;
      socket.resume();
      waiting?.wake();
    },
    async next(idle) {
      if (queue.length === 0 && !isOver) await arrival(idle);
      const data = queue.shift();
      if (data === undefined) {
        if (isTooLarge) throw answerTooLarge(host, "eventBytes", limits);
        return undefined;
      }
      queued -= lengthOf(data);
      received += lengthOf(data);
      if (received > limits.answerBytes) throw answerTooLarge(host, "answerBytes", limits);
      if (queue.length === 0 && socket.isPaused) socket.resume();
      const event = toServerEvent(read(data));
      if (!event)
        throw new ProviderError(
          "bad_response",
          `${host} sent a message that is not an event: it does not speak Realtime.`,
        );
      return event;
    },
    isAlive(recent, timeout) {
      if (Date.now() - heardAt < recent) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (isAlive: boolean) => () => {
          timer.stop();
          for (const sign of signs) socket.off(sign, heard);
          socket.off("close", lost);
          resolve(isAlive);
        };
        const [heard, lost] = [end(true), end(false)];
        const timer = startTimer(timeout, lost);
        for (const sign of signs) socket.on(sign, heard);
        socket.on("close", lost);
        socket.ping();
      });
    },
  };
}

const signs = ["message", "ping", "pong"] as const;

function lengthOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength;
}
