import { type ModelRequest, type Provider, ProviderError } from "@cogency/provider";
import { type AnswerMeter, createAnswerMeter, endOfAnswer, readEvents, toProviderError } from "@cogency/provider/http";
import { noEventStream, unnamedCall } from "../bad-response.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { streamFailure } from "../stream-failure.ts";
import { beginThinking } from "./leading-thinking.ts";
import { encryptedPart } from "./native.ts";
import { conclude, generatedText, initialState, reduce, type State, textOf, usageOfAborted } from "./reduce.ts";
import { createRefusals, learn, noRefusals, type Refusals } from "./refusals.ts";
import { toChatRequest } from "./request.ts";
import { type Chunk, isChunk } from "./wire.ts";

/**
 * `Provider.stream` over Chat Completions.
 *
 * @param refusals shared by the endpoints of one server, so that the server need not refuse once for each key
 */
export function chatStream(endpoint: Endpoint, refusals: Refusals = createRefusals()): Provider["stream"] {
  const { url, limits, advice, redact, flavor } = endpoint;
  const { host } = url;

  return async function* stream(request, { signal } = {}) {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const meter = createAnswerMeter(host, limits);
    let state: State = { ...initialState, thinking: beginThinking(flavor.thinkBlock) };
    let response: Response | undefined;
    let isYielding = false;
    let usageTimer: ReturnType<typeof setTimeout> | undefined;
    const reading = new AbortController();
    const stopReading = () => reading.abort();
    signal?.addEventListener("abort", stopReading);
    try {
      response = await ask(endpoint, refusals, request, signal);
      const options = { host, limits, signal: reading.signal, last: "[DONE]" };
      for await (const chunk of readEvents(response.body, options)) {
        clearTimeout(usageTimer);
        if (isAborted()) break;
        const failure = streamFailure(chunk);
        if (failure) throw failure;
        if (!isChunk(chunk)) throw noChunk(host);
        measure(state, chunk, meter);
        const [next, events] = reduce(state, chunk);
        meter.add(events);
        state = next;
        for (const event of events) {
          isYielding = true;
          yield event;
          isYielding = false;
          if (isAborted()) break;
        }
        if (state.finish !== undefined) usageTimer = setTimeout(stopReading, longestWaitForUsage);
      }
    } catch (error) {
      // Errors thrown by the consumer pass through unchanged.
      if (isYielding) throw error;
      // After the finish only the usage can be missing, so that a failure no longer matters.
      if (!isAborted() && state.finish === undefined) {
        const responded = response !== undefined;
        const wire = "Chat Completions";
        throw toProviderError(error, { host, wire, responded, partial: textOf(state), advice, redact });
      }
    } finally {
      clearTimeout(usageTimer);
      signal?.removeEventListener("abort", stopReading);
    }
    const failure = isAborted() ? undefined : incomplete(state, response, endpoint);
    if (failure) throw failure;
    yield* endOfAnswer(isAborted() ? [] : conclude(state), isAborted, () => usageOfAborted(state, request));
  };
}

/** Milliseconds to wait for each further chunk after the finish: the usage may come in one of its own. */
const longestWaitForUsage = 1000;

/** Sends the request. If the server refuses a part of it, sends it again without that part, or with what it demands. */
async function ask(
  endpoint: Endpoint,
  refusals: Refusals,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const model = request.model ?? endpoint.model;
  let known = refusals.get(model) ?? noRefusals;
  for (;;) {
    const body = toChatRequest(request, endpoint, known);
    try {
      const response = await endpoint.client.chat.completions.create(body, { signal }).asResponse();
      // Not before the server has accepted a request: the words of a refusal may have been misunderstood.
      if (known !== noRefusals) refusals.set(model, known);
      return response;
    } catch (error) {
      const next = signal?.aborted ? undefined : learn(known, body, error);
      if (!next) throw error;
      known = next;
    }
  }
}

/** Counts a chunk before it is reduced, because each call and each reasoning detail costs a look at those before it. */
function measure({ details }: State, chunk: Chunk, meter: AnswerMeter): void {
  for (const { delta, message } of chunk.choices ?? []) {
    for (const part of [delta, message]) {
      const reasoning = Array.isArray(part?.reasoning_details) ? part.reasoning_details : [];
      meter.holds("calls", part?.tool_calls?.length ?? 0);
      meter.holds("blocks", details.length + reasoning.length);
      for (const detail of reasoning) meter.keep(encryptedPart(detail));
      for (const { extra_content: extra } of part?.tool_calls ?? []) meter.keep(extra);
    }
  }
}

function noChunk(host: string): ProviderError {
  const message = `${host} sent an event that is no piece of an answer: it does not speak Chat Completions.`;
  return new ProviderError("bad_response", message);
}

/** The error of an answer that ended without being complete; undefined if it is complete. */
function incomplete(state: State, response: Response | undefined, endpoint: Endpoint): ProviderError | undefined {
  const { host } = endpoint.url;
  const contentType = response?.headers.get("content-type") ?? "";
  const partial = endpoint.redact(textOf(state));
  switch (state.finish) {
    case undefined:
      return generatedText(state) === "" && !contentType.includes("text/event-stream")
        ? noEventStream(endpoint, contentType)
        : new ProviderError("cut_stream", `${host} ended its answer without saying why it finished.`, { partial });
    // OpenRouter's word for a model behind it that has failed.
    case "error":
      return new ProviderError("server", `${host} broke its answer off: it finished with an error.`, { partial });
    // DeepSeek's word for an answer that it has interrupted.
    case "insufficient_system_resource":
      return new ProviderError("overloaded", `${host} broke its answer off: it had no resources left.`, { partial });
    default:
      return state.calls.some(({ name }) => name === "") ? unnamedCall(host, partial) : undefined;
  }
}
