import { type Provider, ProviderError } from "@cogency/provider";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { noAttachments } from "./request.ts";
import { createSession, type RealtimeOptions } from "./session.ts";

/**
 * `Provider.connect` over OpenAI's Realtime API, text only. The session holds a socket, which keeps a Node process alive
 * until the session is closed.
 *
 * If the signal aborts before the session is open, the promise is rejected with a ProviderError too.
 */
export function realtimeConnect(endpoint: Endpoint, options?: RealtimeOptions): NonNullable<Provider["connect"]> {
  return async (request, { signal } = {}) => {
    const session = createSession(endpoint, request, options);
    try {
      await session.open(signal);
    } catch (error) {
      throw signal?.aborted ? aborted(endpoint) : error;
    }
    return session;
  };
}

/** `Provider.stream` over Realtime: opens a session for one request, whose last message must be the user's. */
export function realtimeStream(endpoint: Endpoint, options?: RealtimeOptions): Provider["stream"] {
  return async function* stream(request, streamOptions) {
    const last = request.messages.at(-1);
    if (last?.role !== "user") {
      throw new ProviderError("unsupported", "A Realtime session answers the user: the last message must be theirs.");
    }
    const { content } = last;
    if (typeof content !== "string") throw new ProviderError("unsupported", noAttachments);
    const session = createSession(endpoint, { ...request, messages: request.messages.slice(0, -1) }, options);
    try {
      yield* session.send(content, streamOptions);
    } finally {
      // The consumer has the answer and need not wait until the server closes the connection.
      void session.close();
    }
  };
}

function aborted({ url }: Endpoint): ProviderError {
  const message = `The connection to ${url.host} was given up: the signal aborted before the session was open.`;
  return new ProviderError("connection", message, { retryable: false });
}
