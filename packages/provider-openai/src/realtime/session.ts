import type { ModelMessage } from "@cogency/protocol";
import {
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
import { createExchange, type Exchange } from "./exchange.ts";
import { conclude, initialState, reduce, usageOfAborted } from "./reduce.ts";
import { toAskingEvents, toOpeningEvents } from "./request.ts";

export interface RealtimeOptions {
  /**
   * The age in milliseconds at which a session expires if the server does not say. Defaults to 30 minutes. OpenAI's server
   * keeps a session for 60 and says so.
   */
  maximumAge?: number | undefined;
  /** A send that begins less than this many milliseconds before the session expires renews it first. Defaults to 2 minutes. */
  renewBefore?: number | undefined;
  /** How often a send begins again if the connection is lost before any of the answer arrived. Defaults to 2. */
  retries?: number | undefined;
  /** Milliseconds before the first retry, twice as many before the next; half of it is random. Defaults to 500. */
  retryDelay?: number | undefined;
  /** A connection that was silent for this many milliseconds is probed before it is used. Defaults to 30 seconds. */
  probeAfter?: number | undefined;
  /** Milliseconds within which the server must answer a probe; else another connection is opened. Defaults to 5 seconds. */
  probeTimeout?: number | undefined;
}

export interface RealtimeSession extends Session {
  /**
   * Connects now instead of with the first send.
   *
   * @throws ProviderError if the server cannot be connected to
   */
  open(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * A conversation that outlives its connections: the session keeps the transcript and sends it with each new connection.
 * An answer that does not complete closes the connection, because the server may keep a part of it.
 *
 * @throws ProviderError `unsupported` if the request asks for something that a Realtime session does not have
 */
export function createSession(
  endpoint: Endpoint,
  request: ModelRequest,
  options: RealtimeOptions = {},
): RealtimeSession {
  const { maximumAge = 1_800_000, renewBefore = 120_000, retries = 2, retryDelay = 500 } = options;
  const { probeAfter = 30_000, probeTimeout = 5_000 } = options;
  const { host } = endpoint.url;
  const limits = completeTimeouts(endpoint.timeouts);
  const transcript: ModelMessage[] = [...request.messages];
  const closings = new Set<Promise<void>>();
  let connection: Connection | undefined;
  let running: Exchange | undefined;
  let hasConnected = false;
  let isClosed = false;
  // Refuses an unsupported request now instead of when connecting.
  toOpeningEvents(request);

  async function connected(signal: AbortSignal | undefined): Promise<Connection> {
    if (connection && (isExpiring(connection) || !(await connection.isUsable(probeAfter, probeTimeout)))) discard();
    if (!connection) {
      const opened = await openConnection(endpoint, { ...request, messages: transcript }, limits, signal);
      connection = opened;
      hasConnected = true;
    }
    return connection;
  }

  function isExpiring({ openedAt, expiresAt }: Connection): boolean {
    // If our clock runs ahead of the server's, every session would look expired.
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
    const current = createExchange(signal, discard);
    const total = startTimer(limits.total, () =>
      current.fail(late(`finish its answer within ${duration(limits.total)}`)),
    );
    running = current;
    try {
      yield* answerWithRetries(text, current);
    } finally {
      total.stop();
      current.end();
      if (!current.isComplete) discard();
      running = undefined;
    }
  }

  async function* answerWithRetries(text: string, exchange: Exchange): AsyncGenerator<ModelEvent> {
    for (let attempt = 1; !exchange.isOver; attempt++) {
      try {
        yield* answer(text, exchange);
      } catch (error) {
        if (exchange.isOver) break;
        discard();
        const failure = withPartial(error, exchange);
        if (failure.code !== "connection" || !hasConnected || attempt > retries) throw failure;
        const delay = Math.round(retryDelay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
        yield { type: "retry", attempt, delay, code: failure.code, message: failure.message };
        await wait(delay, exchange.signal);
      }
    }
    if (exchange.isComplete) return;
    if (exchange.failure) throw withPartial(exchange.failure, exchange);
    yield* endOfAborted(text, exchange);
  }

  async function* answer(text: string, exchange: Exchange): AsyncGenerator<ModelEvent> {
    const server = await connected(exchange.signal);
    if (exchange.isOver) return;
    exchange.isAsked = true;
    exchange.state = initialState(server.earlier);
    const meter = createAnswerMeter(host, endpoint.limits);
    server.ask(toAskingEvents(text));
    const firstByte = startTimer(limits.firstByte, () =>
      exchange.fail(late(`begin its answer within ${duration(limits.firstByte)}`)),
    );
    try {
      while (exchange.state.finish === undefined) {
        const event = await server.next(exchange.state.hasBegun ? limits.idle : Number.POSITIVE_INFINITY);
        if (exchange.isOver) return;
        if (!event) throw lost(exchange);
        const [state, events] = reduce(exchange.state, event);
        meter.add(events);
        exchange.state = state;
        if (state.failure) throw serverError(state.failure, endpoint, state.text);
        if (state.hasBegun) firstByte.stop();
        yield* events;
        if (exchange.isOver) return;
      }
    } finally {
      firstByte.stop();
    }
    for (const event of conclude(exchange.state)) {
      if (event.type === "finish") {
        transcript.push({ role: "user", content: text }, { role: "assistant", content: exchange.state.text });
        server.endAnswer(exchange.state.response);
        exchange.complete();
      }
      exchange.hasYieldedUsage ||= event.type === "usage";
      yield event;
      if (exchange.isOver) return;
    }
  }

  function* endOfAborted(text: string, { state, hasYieldedUsage, isAsked }: Exchange): Generator<ModelEvent> {
    if (isAsked && !hasYieldedUsage) {
      const messages: ModelMessage[] = [...transcript, { role: "user", content: text }];
      const usage = usageOfAborted(state, { ...request, messages });
      yield { type: "usage", usage: { ...usage, estimated: true } };
    }
    yield { type: "finish", reason: "aborted" };
  }

  function lost({ state }: Exchange): ProviderError {
    return state.text === ""
      ? new ProviderError("connection", `The connection to ${host} was lost before the answer began.`)
      : new ProviderError("cut_stream", `The connection to ${host} was lost before the answer was complete.`);
  }

  function late(task: string): ProviderError {
    return new ProviderError("timeout", `${host} did not ${task}.`);
  }

  function withPartial(error: unknown, { state }: Exchange): ProviderError {
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

const closedMessage = "The session is closed. Open another one.";
const busyMessage = "The session is answering another `send`. Read that answer to its end first, or abort it.";
