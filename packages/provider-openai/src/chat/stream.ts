import { type ModelRequest, type Provider, ProviderError } from "@cogency/provider";
import { type AnswerMeter, wireStream } from "@cogency/provider/http";
import { baseURL, unnamedCall } from "../bad-response.ts";
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
  const { host } = endpoint.url;
  const state = { ...initialState, thinking: beginThinking(endpoint.flavor.thinkBlock) };

  return wireStream<State>(endpoint, {
    name: "Chat Completions",
    baseURL,
    lacks: "without saying why it finished",
    last: "[DONE]",
    // The usage may come after the finish, in a chunk of its own.
    longestWait: 1000,
    begin: (request) => ({ state, ask: (signal) => ask(endpoint, refusals, request, signal) }),
    reduce(state, chunk, meter) {
      const failure = streamFailure(chunk);
      if (failure) throw failure;
      if (!isChunk(chunk)) throw noChunk(host);
      measure(state, chunk, meter);
      return reduce(state, chunk);
    },
    isComplete: ({ finish }) => finish !== undefined,
    isEmpty: (state) => generatedText(state) === "",
    problem: (state) => problemOf(state, host),
    textOf,
    conclude,
    usageOfAborted,
  });
}

/** Sends the request. If the server refuses a part of it, sends it again without that part, or with what it demands. */
async function ask(
  endpoint: Endpoint,
  refusals: Refusals,
  request: ModelRequest,
  signal: AbortSignal,
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
      const next = signal.aborted ? undefined : learn(known, body, error);
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

function problemOf({ finish, calls }: State, host: string): ProviderError | undefined {
  switch (finish) {
    // OpenRouter's word for a model behind it that has failed.
    case "error":
      return new ProviderError("server", `${host} broke its answer off: it finished with an error.`);
    // DeepSeek's word for an answer that it has interrupted.
    case "insufficient_system_resource":
      return new ProviderError("overloaded", `${host} broke its answer off: it had no resources left.`);
    default:
      return calls.some(({ name }) => name === "") ? unnamedCall(host) : undefined;
  }
}
