import { isProviderError, type ModelEvent, type Provider, ProviderError } from "@cogency/provider";
import { type AnswerMeter, createAnswerMeter, endOfAnswer, readEvents, toProviderError } from "@cogency/provider/http";
import { argumentsInPieces, noEventStream, severalCandidates } from "../bad-response.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { brokenOff, refusal } from "../refusal.ts";
import { serverFailure } from "../server-failure.ts";
import { isObject } from "../wire-values.ts";
import { conclude, initialState, reduce, type State, usageOfAborted } from "./reduce.ts";
import { toRequest } from "./request.ts";
import { candidatesOf, isChunk, partsOf } from "./wire.ts";

/** `Provider.stream` over `streamGenerateContent`. */
export function generateContentStream(endpoint: Endpoint): Provider["stream"] {
  const { url, defaults, limits, advice, redact } = endpoint;
  const { host } = url;

  return async function* stream(request, { signal } = {}) {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const body = toRequest(request, defaults);
    const meter = createAnswerMeter(host, limits);
    let state = initialState;
    let response: Response | undefined;
    let isYielding = false;
    let endTimer: ReturnType<typeof setTimeout> | undefined;
    const reading = new AbortController();
    const stopReading = () => reading.abort();
    signal?.addEventListener("abort", stopReading);

    function take(chunk: unknown): ModelEvent[] {
      const failure = serverFailure(chunk);
      if (failure) throw brokenOff(failure, endpoint);
      check(state, chunk, { host, meter });
      const [next, events] = reduce(state, chunk);
      meter.add(events);
      state = next;
      return events;
    }

    try {
      const asked = await endpoint.ask(request.model ?? defaults.model, body, signal);
      if (!asked.ok) throw await refusal(asked, endpoint);
      response = asked;
      for await (const read of readEvents(response.body, { host, limits, signal: reading.signal })) {
        clearTimeout(endTimer);
        if (isAborted()) break;
        // A server that does not know event streams sends one array.
        for (const event of Array.isArray(read) ? read.flatMap(take) : take(read)) {
          isYielding = true;
          yield event;
          isYielding = false;
          if (isAborted()) break;
        }
        if (state.finish) endTimer = setTimeout(stopReading, longestWaitForEnd);
      }
    } catch (error) {
      // Errors thrown by the consumer pass through unchanged.
      if (isYielding) throw error;
      if (!isAborted() && (!state.finish || endsAnswer(error))) {
        const responded = response !== undefined;
        throw toProviderError(error, { host, wire: "Gemini", responded, partial: state.text, advice, redact });
      }
    } finally {
      clearTimeout(endTimer);
      signal?.removeEventListener("abort", stopReading);
    }
    const failure = isAborted() ? undefined : incomplete(state, response, endpoint);
    if (failure) throw failure;
    yield* endOfAnswer(isAborted() ? [] : conclude(state), isAborted, () => usageOfAborted(state, request));
  };
}

/** Whether the server, or a limit, ends the answer. After a finish reason a connection that breaks off loses nothing. */
function endsAnswer(error: unknown): boolean {
  return isProviderError(error) && error.code !== "timeout";
}

/** Milliseconds of silence after a finish reason that end the answer, although the server leaves it open. */
const longestWaitForEnd = 1000;

/**
 * Refuses a chunk that cannot be told, and counts it before it is reduced, because each part costs a look at those before
 * it.
 */
function check(state: State, chunk: unknown, { host, meter }: { host: string; meter: AnswerMeter }): void {
  if (!isChunk(chunk)) return;
  const [candidate, ...others] = candidatesOf(chunk);
  if (others.length > 0 || (candidate?.index ?? 0) !== 0) throw severalCandidates(host);
  const parts = candidate ? partsOf(candidate) : [];
  const calls = parts.map(({ functionCall }) => functionCall).filter(isObject);
  if (calls.some((call) => call.willContinue || call.partialArgs)) throw argumentsInPieces(host);
  meter.holds("blocks", state.parts.length + parts.length);
  meter.holds("calls", state.calls.length + calls.length);
  for (const part of parts) {
    // Text and calls are counted with their events.
    const hasEvent = typeof part.text === "string" || isObject(part.functionCall);
    if (!hasEvent) meter.keep(part);
    else if (part.thoughtSignature !== undefined) meter.keep(part.thoughtSignature);
  }
}

/** The error of an answer that ended without being complete; undefined if it is complete. */
function incomplete(state: State, response: Response | undefined, endpoint: Endpoint): ProviderError | undefined {
  if (state.finish) return undefined;
  const { host } = endpoint.url;
  const contentType = response?.body ? (response.headers.get("content-type") ?? "") : "no body";
  const partial = endpoint.redact(state.text);
  return state.parts.length === 0 && !contentType.includes("text/event-stream")
    ? noEventStream(endpoint, contentType)
    : new ProviderError("cut_stream", `${host} ended its answer without a finish reason.`, { partial });
}
