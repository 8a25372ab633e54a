import { type ModelEvent, type ModelRequest, type Provider, ProviderError } from "@cogency/provider";
import { type AnswerMeter, createAnswerMeter, endOfAnswer, readEvents, toProviderError } from "@cogency/provider/http";
import { noEventStream, unnamedCall } from "../bad-response.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { streamFailure } from "../stream-failure.ts";
import { isObject } from "../wire-values.ts";
import { conclude, initialState, reduce, type State, textOf, usageOfAborted } from "./reduce.ts";
import { createRefusals, learn, type Refusals } from "./refusals.ts";
import { toResponsesRequest } from "./request.ts";
import { asChunk, type Chunk, isChunk } from "./wire.ts";

/**
 * `Provider.stream` over the Responses API.
 *
 * @param refusals shared by the endpoints of one server, so that the server need not refuse once for each key
 */
export function responsesStream(endpoint: Endpoint, refusals: Refusals = createRefusals()): Provider["stream"] {
  const { url, limits, advice, redact } = endpoint;
  const { host } = url;

  return async function* stream(request, { signal } = {}) {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const meter = createAnswerMeter(host, limits);
    let state = initialState;
    let response: Response | undefined;
    let isYielding = false;
    const reading = new AbortController();
    const stopReading = () => reading.abort();
    signal?.addEventListener("abort", stopReading);
    try {
      response = await ask(endpoint, refusals, request, signal);
      const isComplete = () => state.finish !== undefined;
      const options = { host, limits, signal: reading.signal, isComplete, last: "[DONE]" };
      for await (const value of readEvents(response.body, options)) {
        if (isAborted()) break;
        // The answer is complete; only the end of the body is awaited.
        if (state.finish) continue;
        const chunk = asChunk(value);
        if (!isChunk(chunk)) throw streamFailure(chunk) ?? noChunk(host);
        measure(state, chunk, meter);
        const [next, events] = reduce(state, chunk);
        meter.add(events);
        state = next;
        if (state.failure !== undefined) throw sdkError(state.failure);
        for (const event of events) {
          isYielding = true;
          yield event;
          isYielding = false;
          if (isAborted()) break;
        }
      }
    } catch (error) {
      // Errors thrown by the consumer pass through unchanged.
      if (isYielding) throw error;
      if (!isAborted() && !state.finish) {
        const responded = response !== undefined;
        const wire = "the Responses API";
        throw toProviderError(error, { host, wire, responded, partial: textOf(state), advice, redact });
      }
    } finally {
      signal?.removeEventListener("abort", stopReading);
    }
    const failure = isAborted() ? undefined : incomplete(state, response, endpoint);
    if (failure) throw failure;
    yield* endOfAnswer(isAborted() ? [] : conclude(state), isAborted, () => usageOfAborted(state, request));
  };
}

/** Sends the request. If the server refuses a part of it, sends it again without that part. */
async function ask(
  { client, name, model, flavor }: Endpoint,
  refusals: Refusals,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let known = refusals;
  for (;;) {
    const body = toResponsesRequest(request, { name, model, flavor, refusals: known });
    try {
      const response = await client.responses.create(body, { signal }).asResponse();
      // Not before the server has accepted a request: the words of a refusal may have been misunderstood.
      for (const refused of known.models) refusals.models.add(refused);
      for (const id of known.items) refusals.items.add(id);
      return response;
    } catch (error) {
      // An `include` that the caller set is not taken out.
      const own = request.options?.include === undefined ? body : { ...body, include: undefined };
      const next = signal?.aborted ? undefined : learn(known, own, error);
      if (!next) throw error;
      known = next;
    }
  }
}

/** In the shape in which the SDK throws an error that a server reports in the middle of an answer. */
function sdkError(body: unknown): Error {
  return Object.assign(new Error("it gave no reason"), { error: body });
}

/** Counts a chunk before it is reduced, because each item costs a look at those before it. */
function measure({ items }: State, { type, item, response }: Chunk, meter: AnswerMeter): void {
  const output = isObject(response) && Array.isArray(response.output) ? response.output.length : 0;
  meter.holds("blocks", Math.max(items.length, output));
  if (type !== "response.output_item.done" || !isObject(item)) return;
  // The content of these three is counted with the events.
  const hasEvents = item.type === "message" || item.type === "function_call" || item.type === "reasoning";
  meter.keep(hasEvents ? item.encrypted_content : item);
}

function noChunk(host: string): ProviderError {
  const message = `${host} sent an event that has no type: it does not speak the Responses API.`;
  return new ProviderError("bad_response", message);
}

/** The error of an answer that ended without being complete; undefined if it is complete. */
function incomplete(state: State, response: Response | undefined, endpoint: Endpoint): ProviderError | undefined {
  const { host } = endpoint.url;
  const contentType = response?.headers.get("content-type") ?? "";
  const partial = endpoint.redact(textOf(state));
  if (!state.finish) {
    return partial === "" && !contentType.includes("text/event-stream")
      ? noEventStream(endpoint, contentType)
      : new ProviderError("cut_stream", `${host} ended its answer without saying how it went.`, { partial });
  }
  return conclude(state).some(isUnnamedCall) ? unnamedCall(host, partial) : undefined;
}

function isUnnamedCall(event: ModelEvent): boolean {
  return event.type === "tool_call" && event.name === "";
}
