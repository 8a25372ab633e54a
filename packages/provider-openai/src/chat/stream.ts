import type { Usage } from "@cogency/protocol";
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
import { encryptedPart } from "./native.ts";
import { conclude, generatedText, initialState, reduce, type State } from "./reduce.ts";
import { learn, noQuirks, type Quirks } from "./refusals.ts";
import { toChatRequest } from "./request.ts";
import { type Chunk, isChunk } from "./wire.ts";

/**
 * Chat Completions of one server.
 *
 * @param learned by model; shared by the endpoints of one server, so that each key need not find it out anew
 */
export function chatStream(endpoint: Endpoint, learned: Map<string, Quirks> = new Map()): StreamFunction {
  const { url, limits, advice, redact } = endpoint;
  const { host } = url;

  return async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const meter = createAnswerMeter(host, limits);
    let state = initialState;
    let response: Response | undefined;
    let isGiven = false;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    signal?.addEventListener("abort", leave);
    try {
      response = await ask(endpoint, learned, request, signal);
      for await (const chunk of readEvents(response.body, { host, limits, signal: leaving.signal, last: "[DONE]" })) {
        clearTimeout(waiting);
        if (isAborted()) break;
        const failure = streamFailure(chunk);
        if (failure) throw failure;
        if (!isChunk(chunk)) throw noChunk(host);
        measure(state, chunk, meter);
        const [next, events] = reduce(state, chunk);
        meter.add(events);
        state = next;
        for (const event of events) {
          isGiven = true;
          yield event;
          isGiven = false;
          if (isAborted()) break;
        }
        if (state.finish !== undefined) waiting = setTimeout(leave, patience);
      }
    } catch (error) {
      // Whoever has an event and throws into the iteration throws what is theirs.
      if (isGiven) throw error;
      // What fails after the server's own finish could only have told the usage.
      if (!isAborted() && state.finish === undefined) {
        const responded = response !== undefined;
        const wire = "Chat Completions";
        throw toProviderError(error, { host, wire, responded, partial: state.text, advice, redact });
      }
    } finally {
      clearTimeout(waiting);
      signal?.removeEventListener("abort", leave);
    }
    const contentType = response?.headers.get("content-type") ?? "";
    const ending = isAborted() ? [] : concluded(state, contentType, endpoint);
    yield* endOfAnswer(ending, isAborted, () => probableUsage(request, state));
  };
}

/** Of an answer that was aborted: what the server has told, which may be less than has come since. */
function probableUsage(request: ModelRequest, state: State): Usage {
  const estimate = estimateUsage(request, generatedText(state));
  return state.usage ? { ...state.usage, output: Math.max(state.usage.output, estimate.output) } : estimate;
}

/** Milliseconds to wait, after the server has said why it finished, for each further chunk: one may tell the usage. */
const patience = 1000;

/** The request, made again for everything that its refusal tells to leave out or to add. */
async function ask(
  endpoint: Endpoint,
  learned: Map<string, Quirks>,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const model = request.model ?? endpoint.model;
  let quirks = learned.get(model) ?? noQuirks;
  for (;;) {
    const body = toChatRequest(request, endpoint, quirks);
    try {
      const answer = await endpoint.client.chat.completions.create(body, { signal }).asResponse();
      // Not before: the words of a refusal may have been misunderstood.
      if (quirks !== noQuirks) learned.set(model, quirks);
      return answer;
    } catch (error) {
      const next = signal?.aborted ? undefined : learn(quirks, body, error);
      if (!next) throw error;
      quirks = next;
    }
  }
}

/** Before they are taken in: each call, and each detail of reasoning, costs a look at those before it. */
function measure({ details }: State, chunk: Chunk, meter: AnswerMeter): void {
  for (const { delta, message } of chunk.choices ?? []) {
    for (const told of [delta, message]) {
      const reasoning = Array.isArray(told?.reasoning_details) ? told.reasoning_details : [];
      meter.holds("calls", told?.tool_calls?.length ?? 0);
      meter.holds("blocks", details.length + reasoning.length);
      for (const detail of reasoning) meter.keep(encryptedPart(detail));
      for (const { extra_content: extra } of told?.tool_calls ?? []) meter.keep(extra);
    }
  }
}

function noChunk(host: string): ProviderError {
  const message = `${host} sent an event that is no piece of an answer: it does not speak Chat Completions.`;
  return new ProviderError("bad_response", message);
}

/** @throws ProviderError if the answer is not complete */
function concluded(state: State, contentType: string, endpoint: Endpoint): ModelEvent[] {
  const { host } = endpoint.url;
  const { finish, calls } = state;
  const partial = endpoint.redact(state.text);
  if (finish === undefined) {
    if (generatedText(state) === "" && !contentType.includes("text/event-stream"))
      throw noEventStream(endpoint, contentType);
    throw new ProviderError("cut_stream", `${host} ended its answer without saying why it finished.`, { partial });
  }
  // OpenRouter's word for a model behind it that has failed.
  if (finish === "error") {
    throw new ProviderError("server", `${host} broke its answer off: it finished with an error.`, { partial });
  }
  // DeepSeek's word for an answer that it has interrupted.
  if (finish === "insufficient_system_resource") {
    throw new ProviderError("overloaded", `${host} broke its answer off: it had no resources left.`, { partial });
  }
  if (calls.some(({ name }) => name === "")) throw unnamedCall(host, partial);
  return conclude(state);
}
