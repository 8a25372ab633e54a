import { type Provider, ProviderError } from "@cogency/provider";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { StreamFunction } from "../stream-function.ts";
import { createSession, type RealtimeOptions } from "./session.ts";

/**
 * `Provider.connect` over OpenAI's Realtime API, text only. The session holds a socket, which keeps a Node process alive
 * until the session is closed.
 *
 * The promise is rejected with a ProviderError also when the signal aborts before the session stands.
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

/** `Provider.stream` over the same: a session for one request, whose last message is the user's. */
export function realtimeStream(endpoint: Endpoint, options?: RealtimeOptions): StreamFunction {
  return async function* (request, streamOptions) {
    const last = request.messages.at(-1);
    if (last?.role !== "user") {
      throw new ProviderError("unsupported", "A Realtime session answers the user: the last message must be theirs.");
    }
    const session = createSession(endpoint, { ...request, messages: request.messages.slice(0, -1) }, options);
    try {
      yield* session.send(last.content, streamOptions);
    } finally {
      // Whoever has the answer does not wait for the server to say goodbye.
      void session.close();
    }
  };
}

function aborted({ url }: Endpoint): ProviderError {
  const message = `The connection to ${url.host} was given up: the signal aborted before the session stood.`;
  return new ProviderError("connection", message, { retryable: false });
}
