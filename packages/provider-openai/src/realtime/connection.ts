import { type ModelRequest, ProviderError } from "@cogency/provider";
import { type CompleteTimeouts, duration, startTimer, toProviderError, wellFormed } from "@cogency/provider/http";
import type { WebSocket } from "ws";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { createSocket, opened } from "./handshake.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { toOpeningEvents } from "./request.ts";
import type { ClientEvent, Failure, ServerEvent } from "./wire.ts";

/** A socket to a server that has received the whole conversation. */
export interface Connection {
  /** Unix time in milliseconds at which the server may end the session; undefined if the server did not say. */
  readonly expiresAt: number | undefined;
  readonly openedAt: number;
  /** Ids of the responses that were received completely. */
  readonly earlier: ReadonlySet<string>;
  /** Whether the socket is open and the server is alive; see {@link Inbox.isAlive}. */
  isUsable(recent: number, timeout: number): Promise<boolean>;
  /** Sends these events, and keeps the server's events from now on. */
  ask(events: readonly ClientEvent[]): void;
  /**
   * The next event since `ask`, undefined once the connection is lost.
   *
   * @throws ProviderError for an error about the events that were sent or about the session; see also {@link Inbox.next}
   */
  next(idle: number): Promise<ServerEvent | undefined>;
  /** Called when the answer is complete: later events are dropped until the next `ask`. */
  endAnswer(response: string | undefined): void;
  /** Resolves when the socket is closed. With `cancel` the server is told to stop its answer. */
  close(options?: { cancel?: boolean }): Promise<void>;
}

/**
 * Connects, and sends the conversation so far.
 *
 * @throws ProviderError if the server cannot be connected to; if the signal aborts, any error
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
    const connection = createConnection(socket, inbox, endpoint);
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

/** Milliseconds that a server has to agree to the end of the connection. */
const longestClosing = 1_000;

interface NewConnection extends Connection {
  /** Resolves when the server has accepted the first of these events, which configures the session. */
  begin(opening: readonly ClientEvent[]): Promise<void>;
}

function createConnection(socket: WebSocket, inbox: Inbox, endpoint: Endpoint): NewConnection {
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
    // A failure to send is ignored here: the reader of the answer notices that the connection is lost.
    socket.send(JSON.stringify(wellFormed({ type, event_id: id, ...fields })), () => {});
  }

  async function next(idle: number): Promise<ServerEvent | undefined> {
    const event = await inbox.next(idle);
    if (event?.type !== "error" || !concerns(event.failure, event.cause, unanswered)) return event;
    if (event.failure.code === "session_expired") return undefined;
    throw serverError(event.failure, endpoint, "");
  }

  async function until(type: ServerEvent["type"]): Promise<ServerEvent> {
    for (;;) {
      // The time limit of connecting applies here.
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
      // An error about the earlier messages comes after this event, and is kept for the first `ask`.
      await until("session.updated");
    },
    async isUsable(recent, timeout) {
      return socket.readyState === socket.OPEN && (await inbox.isAlive(recent, timeout));
    },
    ask(events) {
      inbox.keep();
      events.forEach(send);
    },
    next,
    endAnswer(response) {
      inbox.drop();
      unanswered.clear();
      if (response !== undefined) earlier.add(response);
    },
    close({ cancel = false } = {}) {
      if (cancel) send({ type: "response.cancel" });
      inbox.drop();
      return closed(socket);
    },
  };
}

/** The error for a failure that a server reports in an event. */
export function serverError(
  { message, type, code }: Failure,
  { url, redact }: Endpoint,
  partial: string,
): ProviderError {
  const error = Object.assign(new Error(message), { error: { message, type, code } });
  return toProviderError(error, { host: url.host, wire: "Realtime", responded: true, partial, redact });
}

/** An error that names no event of the client is about the session. */
function concerns({ code }: Failure, cause: string | undefined, unanswered: ReadonlySet<string>): boolean {
  return code !== "response_cancel_not_active" && (cause === undefined || unanswered.has(cause));
}

function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = startTimer(longestClosing, () => socket.terminate());
    socket.once("close", () => {
      timer.stop();
      resolve();
    });
    socket.close(1000);
  });
}
