import { type ModelRequest, ProviderError } from "@cogency/provider";
import { type CompleteTimeouts, duration, startTimer, toProviderError } from "@cogency/provider/http";
import type { WebSocket } from "ws";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { createSocket, opened } from "./handshake.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { type ClientEvent, toOpeningEvents } from "./request.ts";
import type { Failure, ServerEvent } from "./wire.ts";

/** One socket whose server knows the whole conversation. */
export interface Connection {
  /** Unix time in milliseconds after which the server may end it; absent if it did not say so. */
  readonly expiresAt: number | undefined;
  readonly openedAt: number;
  /** Ids of the responses that were received to their end. */
  readonly earlier: ReadonlySet<string>;
  /** Whether it can be asked: it stands, and the other side is there. See {@link Inbox}. */
  isUsable(recent: number, patience: number): Promise<boolean>;
  /** Say this, and keep what is answered. */
  ask(events: readonly ClientEvent[]): void;
  /**
   * The next event since `ask`, undefined once the connection is lost.
   *
   * @throws ProviderError for an error that concerns what was asked or the session, and see {@link Inbox}
   */
  next(idle: number): Promise<ServerEvent | undefined>;
  /** The answer is complete. */
  settle(response: string | undefined): void;
  /** Resolves when the socket is gone. With `cancel` the server is told to stop its answer. */
  close(options?: { cancel?: boolean }): Promise<void>;
}

/**
 * Connect, and tell the server what was said until now.
 *
 * @throws ProviderError if that is not possible; with an aborted signal of whatever kind
 */
export async function openConnection(
  endpoint: Endpoint,
  request: ModelRequest,
  { connect }: CompleteTimeouts,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  const { host } = endpoint.url;
  signal?.throwIfAborted();
  const socket = await createSocket(endpoint, request.model ?? endpoint.model);
  const inbox = createInbox(socket, endpoint);
  let isLate = false;
  const timer = startTimer(connect, () => {
    isLate = true;
    socket.terminate();
  });
  const abort = () => socket.terminate();
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    await opened(socket, endpoint);
    const connection = speak(socket, inbox, endpoint);
    await connection.begin(toOpeningEvents(request));
    return connection;
  } catch (error) {
    socket.terminate();
    throw isLate
      ? new ProviderError("timeout", `${host} could not be connected to within ${duration(connect)}.`)
      : toProviderError(error, { host, wire: "Realtime", responded: true, partial: "", redact: endpoint.redact });
  } finally {
    timer.stop();
    signal?.removeEventListener("abort", abort);
  }
}

/** How long a server may take to agree to the end of the connection, in milliseconds. */
const closing = 1_000;

interface NewConnection extends Connection {
  /** Resolves when the server has taken in the first of these events, which is the session's. */
  begin(opening: readonly ClientEvent[]): Promise<void>;
}

function speak(socket: WebSocket, inbox: Inbox, endpoint: Endpoint): NewConnection {
  const { host } = endpoint.url;
  const earlier = new Set<string>();
  const unanswered = new Set<string>();
  const openedAt = Date.now();
  let expiresAt: number | undefined;
  let sent = 0;

  function send({ type, ...fields }: ClientEvent) {
    sent++;
    const id = `event_${sent}`;
    unanswered.add(id);
    // What cannot be sent any more is noticed by who waits for the answer.
    socket.send(JSON.stringify({ type, event_id: id, ...fields }), () => {});
  }

  async function next(idle: number): Promise<ServerEvent | undefined> {
    const event = await inbox.next(idle);
    if (event?.type !== "error" || !concerns(event.failure, event.cause, unanswered)) return event;
    if (event.failure.code === "session_expired") return undefined;
    throw serverError(event.failure, endpoint, "");
  }

  async function until(type: ServerEvent["type"]): Promise<ServerEvent> {
    for (;;) {
      // The time limit of connecting holds here.
      const event = await next(Number.POSITIVE_INFINITY);
      if (!event) throw new ProviderError("connection", `${host} closed the connection before the session began.`);
      if (event.type === type) return event;
    }
  }

  return {
    openedAt,
    earlier,
    get expiresAt() {
      return expiresAt;
    },
    async begin(opening) {
      const created = await until("session.created");
      if (created.type === "session.created" && created.expiresAt) expiresAt = created.expiresAt * 1000;
      opening.forEach(send);
      // An error about what was said before comes after this, and is kept for who asks first.
      await until("session.updated");
    },
    async isUsable(recent, patience) {
      return socket.readyState === socket.OPEN && (await inbox.isAlive(recent, patience));
    },
    ask(events) {
      inbox.attend();
      events.forEach(send);
    },
    next,
    settle(response) {
      inbox.ignore();
      unanswered.clear();
      if (response !== undefined) earlier.add(response);
    },
    close({ cancel = false } = {}) {
      if (cancel) send({ type: "response.cancel" });
      inbox.ignore();
      return closed(socket);
    },
  };
}

/** The error of what a server says in an event. */
export function serverError(
  { message, type, code }: Failure,
  { url, redact }: Endpoint,
  partial: string,
): ProviderError {
  const error = Object.assign(new Error(message), { error: { message, type, code } });
  return toProviderError(error, { host: url.host, wire: "Realtime", responded: true, partial, redact });
}

/** An error about nothing in particular is about the session. */
function concerns({ code }: Failure, cause: string | undefined, unanswered: ReadonlySet<string>): boolean {
  return code !== "response_cancel_not_active" && (cause === undefined || unanswered.has(cause));
}

function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = startTimer(closing, () => socket.terminate());
    socket.once("close", () => {
      timer.stop();
      resolve();
    });
    socket.close(1000);
  });
}
