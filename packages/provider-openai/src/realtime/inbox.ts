import { ProviderError } from "@cogency/provider";
import { answerTooLarge, duration, parseJSON, startTimer, type Timer } from "@cogency/provider/http";
import type { RawData, WebSocket } from "ws";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type ServerEvent, toServerEvent } from "./wire.ts";

/** The events of a socket, in their order, for one who asks for them. */
export interface Inbox {
  /** From now on what arrives is kept for `next`, as it is at first. Its bytes are counted anew. */
  attend(): void;
  /** Nobody is going to read: what has arrived and what arrives is dropped. A `next` that waits gets nothing. */
  ignore(): void;
  /**
   * The next event, or undefined once the socket is closed and all that came has been read. Pings and pongs count as
   * signs of life.
   *
   * @throws ProviderError `timeout` if nothing arrives for `idle` milliseconds, `bad_response` if it is no event,
   * `answer_too_large` for a message, or for all of them since `attend`, beyond the limits
   */
  next(idle: number): Promise<ServerEvent | undefined>;
  /** Whether the other side still answers: a sign of life within `recent` milliseconds, or within `patience` if asked. */
  isAlive(recent: number, patience: number): Promise<boolean>;
}

/** A stalled reader stops the socket: no more than about this many events, or this many bytes, are kept for it. */
const manyEvents = 64;
const manyBytes = 1_048_576;

export function createInbox(socket: WebSocket, { url: { host }, limits }: Pick<Endpoint, "url" | "limits">): Inbox {
  let queue: RawData[] = [];
  let queued = 0;
  let received = 0;
  let isTooLarge = false;
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
    queued += lengthOf(data);
    if (queue.length >= manyEvents || queued >= manyBytes) socket.pause();
    waiting?.wake();
  });
  socket.on("close", () => {
    isOver = true;
    waiting?.wake();
  });
  // A close follows each; without a listener it would be thrown.
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
    attend() {
      isAttended = true;
      received = 0;
    },
    ignore() {
      isAttended = false;
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

function lengthOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength;
}
