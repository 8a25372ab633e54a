import { type ModelEvent, type ModelRequest, type Provider, ProviderError } from "@cogency/provider";
import { type AnswerMeter, isObject, reportedError, wireStream } from "@cogency/provider/http";
import { baseURL, unnamedCall } from "../bad-response.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { streamFailure } from "../stream-failure.ts";
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
  const { host } = endpoint.url;

  return wireStream<State>(endpoint, {
    name: "the Responses API",
    baseURL,
    lacks: "without saying how it went",
    last: "[DONE]",
    begin: (request) => ({ state: initialState, ask: (signal) => ask(endpoint, refusals, request, signal) }),
    reduce(state, value, meter) {
      const chunk = asChunk(value);
      if (!isChunk(chunk)) throw streamFailure(chunk) ?? noChunk(host);
      measure(state, chunk, meter);
      const [next, events] = reduce(state, chunk);
      if (next.failure !== undefined) throw reportedError(next.failure, "it gave no reason");
      return [next, events];
    },
    isComplete: ({ finish }) => finish !== undefined,
    isEmpty: (state) => textOf(state) === "",
    problem: (state) => (conclude(state).some(isUnnamedCall) ? unnamedCall(host) : undefined),
    textOf,
    conclude,
    usageOfAborted,
  });
}

/** Sends the request. If the server refuses a part of it, sends it again without that part. */
async function ask(
  { client, name, model, flavor }: Endpoint,
  refusals: Refusals,
  request: ModelRequest,
  signal: AbortSignal,
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
      const next = signal.aborted ? undefined : learn(known, own, error);
      if (!next) throw error;
      known = next;
    }
  }
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

function isUnnamedCall(event: ModelEvent): boolean {
  return event.type === "tool_call" && event.name === "";
}
