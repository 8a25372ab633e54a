/**
 * A `fetch` whose answers are read to their end although the reader leaves at `[DONE]`, as the SDK does. A body that is
 * given up before its end takes the connection with it, and each request would need another one.
 */
export function readToEnd(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isEvents = response.headers.get("content-type")?.includes("text/event-stream");
    return isEvents && response.body ? new Response(lingering(response.body), response) : response;
  };
}

/** Milliseconds that the end may come after `[DONE]`, if the server does not keep the connection open. */
const patience = 50;

function lingering(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let last: Uint8Array = new Uint8Array();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        last = value;
        controller.enqueue(value);
      },
      async cancel(reason) {
        if (isDone(last)) await ended(reader);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function isDone(piece: Uint8Array): boolean {
  return new TextDecoder().decode(piece.subarray(-32)).includes("[DONE]");
}

async function ended(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<{ done: true }>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), patience);
  });
  try {
    while (!(await Promise.race([reader.read(), late])).done);
  } catch {
    // Then it has ended as well.
  } finally {
    clearTimeout(timer);
  }
}
