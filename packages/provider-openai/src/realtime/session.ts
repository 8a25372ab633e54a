import type { ModelMessage } from "@cogency/protocol";
import {
  estimateUsage,
  type ModelEvent,
  type ModelRequest,
  ProviderError,
  type Session,
  type StreamOptions,
  wait,
} from "@cogency/provider";
import { completeTimeouts, createAnswerMeter, duration, startTimer, toProviderError } from "@cogency/provider/http";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type Connection, openConnection, serverError } from "./connection.ts";
import { conclude, initialState, reduce } from "./reduce.ts";
import { toAskingEvents, toOpeningEvents } from "./request.ts";
import { createTurn, type Turn } from "./turn.ts";

export interface RealtimeOptions {
  /**
   * Milliseconds that a server keeps a session which does not say so. 30 minutes by default; OpenAI's keeps it for 60 and
   * says so.
   */
  maximumAge?: number | undefined;
  /** A send that begins so many milliseconds before the end of the session renews it first. 2 minutes by default. */
  renewBefore?: number | undefined;
  /** How often a send begins again when the connection is lost before anything came. 2 by default. */
  retries?: number | undefined;
  /** Milliseconds before the first of them, twice as many before the next; half of it is random. 500 by default. */
  retryDelay?: number | undefined;
  /** A connection of which nothing was heard for so many milliseconds is asked whether it is there. 30 seconds by default. */
  probeAfter?: number | undefined;
  /** Milliseconds that it may take to answer that before another one is opened. 5 seconds by default. */
  probePatience?: number | undefined;
}

export interface RealtimeSession extends Session {
  /**
   * Connect at once instead of with the first send.
   *
   * @throws ProviderError if that is not possible
   */
  open(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * A conversation that outlives its connections: it knows what was said, and tells it to the server whenever it connects
 * anew. An answer that did not come to its end ends the connection, because the server may hold some of it.
 *
 * @throws ProviderError `unsupported` for what a Realtime session cannot be told
 */
export function createSession(
  endpoint: Endpoint,
  request: ModelRequest,
  options: RealtimeOptions = {},
): RealtimeSession {
  const { maximumAge = 1_800_000, renewBefore = 120_000, retries = 2, retryDelay = 500 } = options;
  const { probeAfter = 30_000, probePatience = 5_000 } = options;
  const { host } = endpoint.url;
  const limits = completeTimeouts(endpoint.timeouts);
  const transcript: ModelMessage[] = [...request.messages];
  const closings = new Set<Promise<void>>();
  let connection: Connection | undefined;
  let running: Turn | undefined;
  let hasConnected = false;
  let isClosed = false;
  // What no connection can be told is refused at once.
  toOpeningEvents(request);

  async function connected(signal: AbortSignal | undefined): Promise<Connection> {
    if (connection && (isExpiring(connection) || !(await connection.isUsable(probeAfter, probePatience)))) discard();
    if (!connection) {
      const opened = await openConnection(endpoint, { ...request, messages: transcript }, limits, signal);
      connection = opened;
      hasConnected = true;
    }
    return connection;
  }

  function isExpiring({ openedAt, expiresAt }: Connection): boolean {
    // A clock that runs ahead of the server's would see every session as expired.
    const lifetime = expiresAt && expiresAt > openedAt ? expiresAt - openedAt : maximumAge;
    return Date.now() > openedAt + lifetime - Math.min(renewBefore, lifetime / 4);
  }

  function discard() {
    if (!connection) return;
    const closing = connection.close({ cancel: running?.isAsked ?? false }).finally(() => closings.delete(closing));
    closings.add(closing);
    connection = undefined;
  }

  async function* send(text: string, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    if (isClosed) throw new ProviderError("connection", closedMessage, { retryable: false });
    if (running) throw new ProviderError("unsupported", busyMessage);
    const current = createTurn(signal, discard);
    const total = startTimer(limits.total, () =>
      current.fail(late(`finish its answer within ${duration(limits.total)}`)),
    );
    running = current;
    try {
      yield* persist(text, current);
    } finally {
      total.stop();
      current.end();
      if (!current.isComplete) discard();
      running = undefined;
    }
  }

  async function* persist(text: string, turn: Turn): AsyncGenerator<ModelEvent> {
    for (let attempt = 1; !turn.isOver; attempt++) {
      try {
        yield* answer(text, turn);
      } catch (error) {
        if (turn.isOver) break;
        discard();
        const failure = withPartial(error, turn);
        if (failure.code !== "connection" || !hasConnected || attempt > retries) throw failure;
        const delay = Math.round(retryDelay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
        yield { type: "retry", attempt, delay, code: failure.code, message: failure.message };
        await wait(delay, turn.signal);
      }
    }
    if (turn.isComplete) return;
    if (turn.failure) throw withPartial(turn.failure, turn);
    yield* abortedEnd(text, turn);
  }

  async function* answer(text: string, turn: Turn): AsyncGenerator<ModelEvent> {
    const server = await connected(turn.signal);
    if (turn.isOver) return;
    turn.isAsked = true;
    turn.state = initialState(server.earlier);
    const meter = createAnswerMeter(host, endpoint.limits);
    server.ask(toAskingEvents(text));
    const firstByte = startTimer(limits.firstByte, () =>
      turn.fail(late(`begin its answer within ${duration(limits.firstByte)}`)),
    );
    try {
      while (turn.state.finish === undefined) {
        const event = await server.next(turn.state.hasBegun ? limits.idle : Number.POSITIVE_INFINITY);
        if (turn.isOver) return;
        if (!event) throw lost(turn);
        const [state, events] = reduce(turn.state, event);
        meter.add(events);
        turn.state = state;
        if (state.failure) throw serverError(state.failure, endpoint, state.text);
        if (state.hasBegun) firstByte.stop();
        yield* events;
        if (turn.isOver) return;
      }
    } finally {
      firstByte.stop();
    }
    for (const event of conclude(turn.state)) {
      if (event.type === "finish") {
        transcript.push({ role: "user", content: text }, { role: "assistant", content: turn.state.text });
        server.settle(turn.state.response);
        turn.complete();
      }
      turn.hasToldUsage ||= event.type === "usage";
      yield event;
      if (turn.isOver) return;
    }
  }

  function* abortedEnd(text: string, { state, hasToldUsage, isAsked }: Turn): Generator<ModelEvent> {
    if (isAsked && !hasToldUsage) {
      const messages: ModelMessage[] = [...transcript, { role: "user", content: text }];
      const usage = state.usage ?? estimateUsage({ ...request, messages }, state.text);
      yield { type: "usage", usage: { ...usage, estimated: true } };
    }
    yield { type: "finish", reason: "aborted" };
  }

  function lost({ state }: Turn): ProviderError {
    return state.text === ""
      ? new ProviderError("connection", `The connection to ${host} was lost before anything was answered.`)
      : new ProviderError("cut_stream", `The connection to ${host} was lost before the answer was complete.`);
  }

  function late(deed: string): ProviderError {
    return new ProviderError("timeout", `${host} did not ${deed}.`);
  }

  function withPartial(error: unknown, { state }: Turn): ProviderError {
    const { redact } = endpoint;
    return toProviderError(error, { host, wire: "Realtime", responded: true, partial: state.text, redact });
  }

  return {
    send,
    async open(signal) {
      await connected(signal);
    },
    async close() {
      isClosed = true;
      running?.abort();
      discard();
      await Promise.all(closings);
    },
  };
}

const closedMessage = "The session is closed: open another one.";
const busyMessage =
  "The session is answering, and takes one `send` at a time: read the other to its end first, or abort it.";
