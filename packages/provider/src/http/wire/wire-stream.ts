import type { Usage } from "@cogency/protocol";
import { ProviderError, withPartial } from "../../errors.ts";
import type { ModelEvent, ModelRequest, Provider } from "../../provider.ts";
import { type AnswerMeter, createAnswerMeter } from "../answer/answer-meter.ts";
import { endOfAnswer } from "../answer/end-of-answer.ts";
import { readEvents } from "../answer/read-events.ts";
import type { HttpEndpoint } from "../endpoint/http-endpoint.ts";
import { excerpt } from "../errors/status-error.ts";
import { toProviderError } from "../errors/to-provider-error.ts";

/** What differs from wire to wire. `State` is the part of an answer that has been received, and is never changed. */
export interface WireRules<State> {
  /** The wire, for messages: `Chat Completions`. */
  readonly name: string;
  /** How the option `baseURL` ends, for the message to a user whose address leads elsewhere: `it usually ends in /v1`. */
  readonly baseURL: string;
  /** What an answer that breaks off lacks, for the message: `without a finish reason`. */
  readonly lacks: string;
  /** Data that is not JSON and marks the end of an answer, such as `[DONE]`. */
  readonly last?: string;
  /** One event may hold a list of chunks. */
  readonly hasLists?: boolean;
  /**
   * Milliseconds of silence that end a complete answer, for a wire that sends more after its finish, such as the usage.
   * Defaults to 0: what comes after a complete answer is ignored.
   */
  readonly longestWait?: number;

  /** Called once for each request, before it is made. Errors pass unchanged. */
  begin(request: ModelRequest): WireRequest<State>;
  /**
   * Adds one chunk to the state, and counts with the meter what the events do not hold.
   *
   * @throws any error, if the chunk reports one or is none of this wire
   */
  reduce(state: State, chunk: unknown, meter: AnswerMeter): [State, ModelEvent[]];
  /** Whether the answer is complete, so that nothing is lost if the connection breaks. */
  isComplete(state: State): boolean;
  /** Whether an error after a complete answer is thrown all the same. By default none is. */
  endsAnswer?(error: unknown): boolean;
  /** Whether nothing of an answer has come, so that the server may speak another wire. */
  isEmpty(state: State): boolean;
  /** The text of the answer so far. */
  textOf(state: State): string;
  /** What is wrong with a complete answer; undefined if nothing is. */
  problem?(state: State): ProviderError | undefined;
  /** The events that end the answer. */
  conclude(state: State): ModelEvent[];
  /** The usage of an answer that was aborted. */
  usageOfAborted(state: State, request: ModelRequest): Usage;
}

/** One request to the server, and the state before its answer. */
export interface WireRequest<State> {
  readonly state: State;
  /**
   * Makes the request, with a body that is read as events.
   *
   * @param signal of this request alone, so that an SDK may leave listeners on it
   * @throws any error, if the server refuses the request or cannot be reached
   */
  ask(signal: AbortSignal): Promise<Response>;
  /** The request that continues the answer, if the server has paused it; undefined if the answer is whole. */
  next?(state: State): WireRequest<State> | undefined;
}

/**
 * `Provider.stream` over a wire: makes the request, feeds each chunk to the rules, limits the answer, ends it, and turns
 * each failure into a ProviderError without keys. Errors that the consumer throws pass unchanged.
 */
export function wireStream<State>(
  endpoint: Pick<HttpEndpoint, "url" | "limits" | "advice" | "redact">,
  rules: WireRules<State>,
): Provider["stream"] {
  const { limits, advice, redact } = endpoint;
  const { host } = endpoint.url;
  const { name: wire, last, hasLists, longestWait = 0 } = rules;

  return async function* stream(request, { signal } = {}) {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const meter = createAnswerMeter(host, limits);
    const reading = new AbortController();
    const stopReading = () => reading.abort();
    let asked: WireRequest<State> | undefined = rules.begin(request);
    let { state } = asked;
    const isComplete = () => rules.isComplete(state);
    const isOver = () => longestWait === 0 && isComplete();
    const options = { host, limits, signal: reading.signal, isComplete: isOver, last };

    function take(chunk: unknown): ModelEvent[] {
      const [next, events] = rules.reduce(state, chunk, meter);
      meter.add(events);
      state = next;
      return events;
    }

    while (asked) {
      let response: Response | undefined;
      let isYielding = false;
      let endTimer: ReturnType<typeof setTimeout> | undefined;
      signal?.addEventListener("abort", stopReading);
      try {
        response = await asked.ask(reading.signal);
        for await (const read of readEvents(response.body, options)) {
          clearTimeout(endTimer);
          if (isAborted()) break;
          if (isOver()) continue;
          for (const event of hasLists && Array.isArray(read) ? read.flatMap(take) : take(read)) {
            isYielding = true;
            yield event;
            isYielding = false;
            if (isAborted()) break;
          }
          if (longestWait > 0 && isComplete()) endTimer = setTimeout(stopReading, longestWait);
        }
      } catch (error) {
        if (isYielding) throw error;
        if (!isAborted() && (!isComplete() || rules.endsAnswer?.(error))) {
          const responded = response !== undefined;
          throw toProviderError(error, { host, wire, responded, partial: rules.textOf(state), advice, redact });
        }
      } finally {
        clearTimeout(endTimer);
        signal?.removeEventListener("abort", stopReading);
      }
      if (isAborted()) break;
      const problem = isComplete() ? rules.problem?.(state) : incomplete(state, response);
      if (problem) throw withPartial(problem, redact(rules.textOf(state)));
      asked = asked.next?.(state);
      if (asked) ({ state } = asked);
    }
    yield* endOfAnswer(isAborted() ? [] : rules.conclude(state), isAborted, () => rules.usageOfAborted(state, request));
  };

  function incomplete(state: State, response: Response | undefined): ProviderError {
    const contentType = response?.body ? (response.headers.get("content-type") ?? "") : "no body";
    if (!rules.isEmpty(state) || contentType.includes("text/event-stream")) {
      return new ProviderError("cut_stream", `${host} ended its answer ${rules.lacks}.`);
    }
    const received = excerpt(contentType, redact) || "no content type";
    const message = `${host} answered with ${received} where an event stream was expected. Check \`baseURL\`; ${rules.baseURL}.`;
    return new ProviderError("bad_response", message);
  }
}
