/** Answers a request of the client; `signal` aborts when the client gives it up. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** A stream of server-sent events that a test writes. */
export interface FakeStream {
  readonly response: Response;
  write(text: string): void;
  end(): void;
  break(): void;
  readonly isLeft: boolean;
}

/** A `fetch` that asks a function, and keeps the requests. Aborted requests reject, as they do on a network. */
export function fakeServer(answer: Answer) {
  const requests: Request[] = [];
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(new URL(url, "http://server.test"), init);
    requests.push(request);
    return new Promise((resolve, reject) => {
      request.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      Promise.resolve()
        .then(() => answer(request.clone() as Request))
        .then(resolve, reject);
    });
  };
  return { fetch, requests };
}

export function fakeStream(type = "text/event-stream"): FakeStream {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      isLeft = true;
    },
  });
  return {
    response: new Response(body, { headers: { "content-type": type } }),
    write: (text) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
    break: () => controller.error(new TypeError("terminated")),
    get isLeft() {
      return isLeft;
    },
  };
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ code, message: `It is ${code}.` }, { status, headers });
}
