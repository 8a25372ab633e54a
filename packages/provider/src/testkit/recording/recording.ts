import { type Exchange, type RecordedResponse, type Transcript, toPiece } from "./transcript.ts";

type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` for any provider that accepts one. It records requests and answers. The transcript grows as answers are read;
 * `JSON.stringify` it once they have ended, and play it back with `replayFetch`.
 *
 * Queries, and headers that may hold a key, are not recorded; bodies are recorded unchanged.
 *
 * @param base makes the requests; defaults to the global `fetch`
 */
export function recordFetch(base?: Fetch): { fetch: Fetch; transcript: Transcript } {
  const transcript: Transcript = { version: 1, exchanges: [] };
  return {
    transcript,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { method, url, headers } = request;
      const exchange: Exchange = { request: { method, path: new URL(url).pathname } };
      transcript.exchanges.push(exchange);
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (bytes.length > 0) exchange.request.body = toPiece(bytes);

      const body = bytes.length > 0 ? bytes : null;
      const response = await (base ?? globalThis.fetch)(url, {
        ...init,
        method,
        headers,
        body,
        signal: request.signal,
      });
      const recorded: RecordedResponse = {
        status: response.status,
        headers: harmless(response.headers),
        body: [],
        end: response.body ? "left" : "complete",
      };
      exchange.response = recorded;
      return response.body ? new Response(record(response.body, recorded), response) : response;
    },
  };
}

function harmless(headers: Headers): Record<string, string> {
  const names = ["content-type", "retry-after", "retry-after-ms"];
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));
}

/** The same bytes, read only on demand. */
function record(body: ReadableStream<Uint8Array>, recorded: RecordedResponse): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            recorded.end = "complete";
            controller.close();
          } else {
            recorded.body.push(toPiece(value));
            controller.enqueue(value);
          }
        } catch (error) {
          recorded.end = "broken";
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
