import { type ModelEvent, type ModelRequest, ProviderError, type StreamOptions } from "@cogency/provider";
import {
  type AnswerMeter,
  createAnswerMeter,
  endOfAnswer,
  excerpt,
  readEvents,
  toProviderError,
} from "@cogency/provider/http";
import type { Endpoint } from "../endpoint/create-endpoint.ts";
import { isObject, numberOf } from "../wire-values.ts";
import { conclude, initialState, pausedContent, reduce, resume, type State, textOf, usageOfAborted } from "./reduce.ts";
import { toContinuation, toMessagesRequest } from "./request.ts";

/** How often an answer that the server pauses is made to go on. */
const mostResumed = 8;

/** The Messages API of one server. */
export function messagesStream(endpoint: Endpoint) {
  const { client, url, defaults, limits, advice, redact } = endpoint;
  const { host } = url;

  return async function* stream(request: ModelRequest, { signal }: StreamOptions = {}): AsyncGenerator<ModelEvent> {
    const isAborted = () => signal?.aborted === true;
    if (isAborted()) return yield { type: "finish", reason: "aborted" };
    const first = toMessagesRequest(request, defaults);
    const meter = createAnswerMeter(host, limits);
    let body = first;
    let state = initialState;
    // The SDK leaves its listener on the signal that it is given.
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    for (let resumed = 0; ; resumed++) {
      let response: Response | undefined;
      let isGiven = false;
      signal?.addEventListener("abort", leave);
      try {
        // Not `messages.create`, which writes warnings about models to the console.
        response = await client.post("/v1/messages", { body, stream: true, signal: leaving.signal }).asResponse();
        const isComplete = () => state.isDone;
        const options = { host, limits, signal: leaving.signal, isComplete };
        for await (const chunk of readEvents(response.body, options)) {
          if (isAborted() || state.isDone) break;
          const failure = failureIn(chunk);
          if (failure) throw failure;
          measure(state, chunk, meter);
          const [next, events] = reduce(state, chunk);
          meter.add(events);
          state = next;
          isGiven = true;
          for (const event of events) yield event;
          isGiven = false;
        }
      } catch (error) {
        // Whoever has an event and throws into the iteration throws what is theirs.
        if (isGiven) throw error;
        const context = { host, wire: "Messages", responded: response !== undefined, partial: textOf(state) };
        if (!isAborted() && !state.isDone) throw toProviderError(error, { ...context, advice, redact });
      } finally {
        signal?.removeEventListener("abort", leave);
      }
      if (isAborted()) break;
      if (!state.isDone) throw incomplete(endpoint, response, state);
      const content = resumed < mostResumed ? pausedContent(state) : undefined;
      if (!content) break;
      body = toContinuation(first, content, state.container);
      state = resume(state);
    }
    yield* endOfAnswer(isAborted() ? [] : conclude(state), isAborted, () => usageOfAborted(state, request));
  };
}

/** Before it is taken in: each block, and each citation, costs a look at those before it. */
function measure({ blocks, offset }: State, chunk: unknown, meter: AnswerMeter): void {
  if (!isObject(chunk)) return;
  const { content_block: start, delta } = chunk;
  if (isObject(start)) {
    meter.holds("blocks", blocks.length + 1);
    // Of the others the events tell what they say.
    if (start.type !== "text" && start.type !== "thinking" && start.type !== "tool_use") meter.keep(start);
  }
  if (!isObject(delta)) return;
  const block = blocks.findLast(({ index }) => index === offset + numberOf(chunk.index, 0));
  if (delta.type === "citations_delta") {
    meter.holds("blocks", blocks.length + (block?.citations.length ?? 0) + 1);
    meter.keep(delta.citation);
  }
  if (delta.type === "signature_delta") meter.keep(delta.signature);
  // Of our own calls the events tell.
  if (delta.type === "input_json_delta" && !block?.call) meter.keep(delta.partial_json);
}

/** In the shape in which the SDK throws what a server says in the middle of an answer. */
function failureIn(chunk: unknown): Error | undefined {
  if (!isObject(chunk)) return undefined;
  const isFailure = chunk.type === "error" || (chunk.type === undefined && chunk.error !== undefined);
  return isFailure ? Object.assign(new Error(JSON.stringify(chunk)), { error: chunk }) : undefined;
}

function incomplete({ url, redact }: Endpoint, response: Response | undefined, state: State): ProviderError {
  const { host } = url;
  const contentType = excerpt(response?.headers.get("content-type") ?? "", redact) || "no content type";
  const told = response?.body ? contentType : "no body";
  if (state === initialState && !told.includes("text/event-stream")) {
    const message = `${host} answered with ${told} where an event stream was expected. Check \`baseURL\`; it ends before /v1.`;
    return new ProviderError("bad_response", message);
  }
  return new ProviderError("cut_stream", `${host} ended its answer before \`message_stop\`.`, {
    partial: redact(textOf(state)),
  });
}
