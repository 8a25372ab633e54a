import type { Provider } from "@cogency/provider";
import {
  type AnswerMeter,
  isObject,
  numberOf,
  reportedError,
  type WireRequest,
  wireStream,
} from "@cogency/provider/http";
import type { Endpoint } from "../endpoint.ts";
import { conclude, initialState, pausedContent, reduce, resume, type State, textOf, usageOfAborted } from "./reduce.ts";
import { toContinuation, toMessagesRequest } from "./request.ts";
import { isChunk } from "./wire.ts";

/** `Provider.stream` over the Messages API. */
export function messagesStream(endpoint: Endpoint): Provider["stream"] {
  return wireStream<State>(endpoint, {
    name: "Messages",
    baseURL: "it ends before /v1",
    lacks: "before `message_stop`",
    begin: (request) => asking(endpoint, toMessagesRequest(request, endpoint.defaults)),
    reduce(state, chunk, meter) {
      const isError =
        isObject(chunk) && (chunk.type === "error" || (chunk.type === undefined && chunk.error !== undefined));
      if (isError) throw reportedError(chunk);
      measure(state, chunk, meter);
      return reduce(state, chunk);
    },
    isComplete: ({ isDone }) => isDone,
    isEmpty: (state) => state === initialState,
    textOf,
    conclude,
    usageOfAborted,
  });
}

/** How many times an answer that the server pauses is continued. */
const mostResumed = 8;

/** Not with `messages.create` of the SDK, which writes warnings about models to the console. */
function asking(
  endpoint: Endpoint,
  first: ReturnType<typeof toMessagesRequest>,
  body = first,
  state = initialState,
  resumed = 0,
): WireRequest<State> {
  return {
    state,
    ask: (signal) => endpoint.client.post("/v1/messages", { body, stream: true, signal }).asResponse(),
    next(paused) {
      const content = resumed < mostResumed ? pausedContent(paused) : undefined;
      if (!content) return undefined;
      return asking(endpoint, first, toContinuation(first, content, paused.container), resume(paused), resumed + 1);
    },
  };
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
