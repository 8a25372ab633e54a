import { isProviderError, type Provider } from "@cogency/provider";
import { type AnswerMeter, isObject, wireStream } from "@cogency/provider/http";
import { argumentsInPieces, severalCandidates } from "../bad-response.ts";
import type { Endpoint } from "../endpoint.ts";
import { brokenOff, refusal } from "../refusal.ts";
import { serverFailure } from "../server-failure.ts";
import { conclude, initialState, reduce, type State, usageOfAborted } from "./reduce.ts";
import { toRequest } from "./request.ts";
import { candidatesOf, isChunk, partsOf } from "./wire.ts";

/** `Provider.stream` over `streamGenerateContent`. */
export function generateContentStream(endpoint: Endpoint): Provider["stream"] {
  const { url, defaults } = endpoint;
  const { host } = url;

  return wireStream<State>(endpoint, {
    name: "Gemini",
    baseURL: "it ends before /v1beta",
    lacks: "without a finish reason",
    // A server that does not know event streams sends one array.
    hasLists: true,
    // Some servers leave an answer open after its finish reason.
    longestWait: 1000,
    begin(request) {
      const body = toRequest(request, defaults);
      return {
        state: initialState,
        async ask(signal) {
          const response = await endpoint.ask(request.model ?? defaults.model, body, signal);
          if (!response.ok) throw await refusal(response, endpoint);
          return response;
        },
      };
    },
    reduce(state, chunk, meter) {
      const failure = serverFailure(chunk);
      if (failure) throw brokenOff(failure, endpoint);
      check(state, chunk, { host, meter });
      return reduce(state, chunk);
    },
    isComplete: ({ finish }) => finish !== undefined,
    // After a finish reason the server, or a limit, may still end the answer; a connection that breaks off loses nothing.
    endsAnswer: (error) => isProviderError(error) && error.code !== "timeout",
    isEmpty: ({ parts }) => parts.length === 0,
    textOf: ({ text }) => text,
    conclude,
    usageOfAborted,
  });
}

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
