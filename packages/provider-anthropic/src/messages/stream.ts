import { type Provider, ProviderError } from "@cogency/provider";
import { type AnswerMeter, createAnswerMeter, endOfAnswer, readEvents, toProviderError } from "@cogency/provider/http";
import { noEventStream } from "../bad-response.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { streamFailure } from "../stream-failure.ts";
import { isObject, numberOf } from "../wire-values.ts";
import { conclude, initialState, pausedContent, reduce, resume, type State, textOf, usageOfAborted } from "./reduce.ts";
import { toContinuation, toMessagesRequest } from "./request.ts";
import { isChunk } from "./wire.ts";

/** `Provider.stream` over the Messages API. */
export function messagesStream(endpoint: Endpoint): Provider["stream"] {
  const { url, defaults, limits, advice, redact } = endpoint;
  const { host } = url;

  return async function* stream(request, { signal } = {}) {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };

    const first = toMessagesRequest(request, defaults);
    const meter = createAnswerMeter(host, limits);
    let body = first;
    let state = initialState;
    const reading = new AbortController();
    const stopReading = () => reading.abort();
    for (let resumed = 0; ; resumed++) {
      let response: Response | undefined;
      let isYielding = false;
      signal?.addEventListener("abort", stopReading);
      try {
        response = await ask(endpoint, body, reading.signal);
        const isComplete = () => state.isDone;
        const options = { host, limits, signal: reading.signal, isComplete };
        for await (const chunk of readEvents(response.body, options)) {
          if (isAborted() || state.isDone) break;
          const failure = streamFailure(chunk);
          if (failure) throw failure;
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
        }
      } catch (error) {
        // Errors thrown by the consumer pass through unchanged.
        if (isYielding) throw error;
        if (!isAborted() && !state.isDone) {
          const responded = response !== undefined;
          const wire = "Messages";
          throw toProviderError(error, { host, wire, responded, partial: textOf(state), advice, redact });
        }
      } finally {
        signal?.removeEventListener("abort", stopReading);
      }
      const failure = isAborted() ? undefined : incomplete(state, response, endpoint);
      if (failure) throw failure;
      const content = !isAborted() && resumed < mostResumed ? pausedContent(state) : undefined;
      if (!content) break;
      body = toContinuation(first, content, state.container);
      state = resume(state);
    }
    yield* endOfAnswer(isAborted() ? [] : conclude(state), isAborted, () => usageOfAborted(state, request));
  };
}

/** How many times an answer that the server pauses is continued. */
const mostResumed = 8;

/**
 * Sends the request. Not with `messages.create` of the SDK, which writes warnings about models to the console.
 *
 * @param signal one of this package's own, because the SDK never removes its listener
 */
function ask({ client }: Endpoint, body: ReturnType<typeof toMessagesRequest>, signal: AbortSignal): Promise<Response> {
  return client.post("/v1/messages", { body, stream: true, signal }).asResponse();
}

/** Counts a chunk before it is reduced, because each block and each citation costs a look at those before it. */
function measure({ blocks, offset }: State, chunk: unknown, meter: AnswerMeter): void {
  if (!isChunk(chunk)) return;
  const { content_block: start, delta } = chunk;
  if (isObject(start)) {
    meter.holds("blocks", blocks.length + 1);
    // The content of these three is counted with the events.
    const hasEvents = start.type === "text" || start.type === "thinking" || start.type === "tool_use";
    if (!hasEvents) meter.keep(start);
  }
  if (!isObject(delta)) return;
  const block = blocks.findLast(({ index }) => index === offset + numberOf(chunk.index, 0));
  if (delta.type === "citations_delta") {
    meter.holds("blocks", blocks.length + (block?.citations.length ?? 0) + 1);
    meter.keep(delta.citation);
  }
  if (delta.type === "signature_delta") meter.keep(delta.signature);
  // The input of a call of ours is counted with its events.
  if (delta.type === "input_json_delta" && !block?.call) meter.keep(delta.partial_json);
}

/** The error of a message that ended without being complete; undefined if it is complete. */
function incomplete(state: State, response: Response | undefined, endpoint: Endpoint): ProviderError | undefined {
  if (state.isDone) return undefined;
  const { host } = endpoint.url;
  const contentType = response?.body ? (response.headers.get("content-type") ?? "") : "no body";
  const partial = endpoint.redact(textOf(state));
  return state === initialState && !contentType.includes("text/event-stream")
    ? noEventStream(endpoint, contentType)
    : new ProviderError("cut_stream", `${host} ended its answer before \`message_stop\`.`, { partial });
}
