import {
  estimateUsage,
  type ModelEvent,
  type ModelRequest,
  ProviderError,
  type StreamOptions,
} from "@cogency/provider";
import { type AnswerMeter, createAnswerMeter, endOfAnswer, readEvents, toProviderError } from "@cogency/provider/http";
import { noEventStream, unnamedCall } from "../bad-response.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { streamFailure } from "../stream-failure.ts";
import type { StreamFunction } from "../stream-function.ts";
import { isObject } from "../wire-values.ts";
import { conclude, generatedText, initialState, reduce, type State, textOf } from "./reduce.ts";
import { createRefusals, learn, type Refusals } from "./refusals.ts";
import { toResponsesRequest } from "./request.ts";
import { isWireEvent, type WireEvent } from "./wire.ts";

/**
 * The Responses API of one server.
 *
 * @param refusals shared by the endpoints of one server, so that each key need not find them out anew
 */
export function responsesStream(endpoint: Endpoint, refusals: Refusals = createRefusals()): StreamFunction {
  const { url, limits, advice, redact } = endpoint;
  const { host } = url;

  return async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const meter = createAnswerMeter(host, limits);
    let state = initialState;
    let response: Response | undefined;
    let isGiven = false;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    signal?.addEventListener("abort", leave);
    try {
      response = await ask(endpoint, refusals, request, signal);
      const isComplete = () => state.finish !== undefined;
      const options = { host, limits, signal: leaving.signal, isComplete, last: "[DONE]" };
      for await (const read of readEvents(response.body, options)) {
        if (isAborted()) break;
        // Nothing more can come; only the end of the body is waited for.
        if (state.finish) continue;
        const event = asEvent(read);
        if (!isWireEvent(event)) throw streamFailure(event) ?? noEvent(host);
        measure(state, event, meter);
        const [next, told] = reduce(state, event);
        meter.add(told);
        state = next;
        if (state.failure !== undefined) throw serverFailure(state.failure);
        for (const each of told) {
          isGiven = true;
          yield each;
          isGiven = false;
          if (isAborted()) break;
        }
      }
    } catch (error) {
      // Whoever has an event and throws into the iteration throws what is theirs.
      if (isGiven) throw error;
      if (!isAborted() && !state.finish) {
        const responded = response !== undefined;
        const wire = "the Responses API";
        throw toProviderError(error, { host, wire, responded, partial: textOf(state), advice, redact });
      }
    } finally {
      signal?.removeEventListener("abort", leave);
    }
    const contentType = response?.headers.get("content-type") ?? "";
    const ending = isAborted() ? [] : concluded(state, contentType, endpoint);
    yield* endOfAnswer(ending, isAborted, () => state.usage ?? estimateUsage(request, generatedText(state)));
  };
}

/** The request, made again without what its refusal tells to leave out. */
async function ask(
  { client, name, model }: Endpoint,
  refusals: Refusals,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let known = refusals;
  for (;;) {
    const body = toResponsesRequest(request, { name, model, refusals: known });
    try {
      const answer = await client.responses.create(body, { signal }).asResponse();
      // Not before: the words of a refusal may have been misunderstood.
      for (const each of known.models) refusals.models.add(each);
      for (const each of known.items) refusals.items.add(each);
      return answer;
    } catch (error) {
      // What the caller has asked for is not taken out.
      const own = request.options?.include === undefined ? body : { ...body, include: undefined };
      const next = signal?.aborted ? undefined : learn(known, own, error);
      if (!next) throw error;
      known = next;
    }
  }
}

/** A server that does not stream answers with what the last event of a stream would hold. */
function asEvent(read: unknown): unknown {
  return isObject(read) && read.object === "response" ? { type: `response.${read.status}`, response: read } : read;
}

/** In the shape in which the SDK throws what a server says in the middle of an answer. */
function serverFailure(body: unknown): Error {
  return Object.assign(new Error("it gave no reason"), { error: body });
}

/** Before it is taken in: each item costs a look at those before it. */
function measure({ items }: State, { type, item, response }: WireEvent, meter: AnswerMeter): void {
  const output = isObject(response) && Array.isArray(response.output) ? response.output.length : 0;
  meter.holds("blocks", Math.max(items.length, output));
  if (type !== "response.output_item.done" || !isObject(item)) return;
  // Of the others the events tell what they say.
  const isTold = item.type === "message" || item.type === "function_call" || item.type === "reasoning";
  meter.keep(isTold ? item.encrypted_content : item);
}

function noEvent(host: string): ProviderError {
  const message = `${host} sent an event that has no type: it does not speak the Responses API.`;
  return new ProviderError("bad_response", message);
}

/** @throws ProviderError if the answer is not complete */
function concluded(state: State, contentType: string, endpoint: Endpoint): ModelEvent[] {
  const { host } = endpoint.url;
  const partial = endpoint.redact(textOf(state));
  if (!state.finish) {
    if (partial === "" && !contentType.includes("text/event-stream")) throw noEventStream(endpoint, contentType);
    throw new ProviderError("cut_stream", `${host} ended its answer without saying how it went.`, { partial });
  }
  const events = conclude(state);
  if (events.some((event) => event.type === "tool_call" && event.name === "")) throw unnamedCall(host, partial);
  return events;
}
