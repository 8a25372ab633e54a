import { once } from "node:events";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { ProviderError } from "@cogency/provider";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { collect, textOf } from "../test/collect.ts";
import { dataEvent, deltaEvent, doneEvent, eventStream, wireServer } from "../test/wire-server.ts";
import { openai } from "./openai.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };
const hello = [
  deltaEvent({ role: "assistant", content: "Hé" }),
  deltaEvent({ content: "llo 😀 漢" }),
  deltaEvent({}, "stop"),
  dataEvent({
    choices: [],
    usage: { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } },
  }),
  doneEvent,
];
const helloEvents: ModelEvent[] = [
  { type: "text", text: "Hé" },
  { type: "text", text: "llo 😀 漢" },
  { type: "usage", usage: { input: 5, output: 5, cacheRead: 4, cacheWrite: 0, reasoning: 0 } },
  { type: "finish", reason: "stop", raw: "stop" },
];

afterEach(() => vi.unstubAllEnvs());

describe("openai", () => {
  it("asks for a key when the server is OpenAI's, before any request", () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    vi.stubEnv("OPENAI_BASE_URL", "");
    expect(() => openai()).toThrow(expect.objectContaining({ code: "missing_key", retryable: false }));
    expect(() => openai()).toThrow("OPENAI_API_KEY");
  });

  it("takes key and server from the environment, and options before that", async () => {
    const sent: (string | undefined)[] = [];
    const { baseURL } = await wireServer((response, { headers }) => {
      sent.push(headers.authorization);
      eventStream(response).end(hello.join(""));
    });
    vi.stubEnv("OPENAI_API_KEY", "key-of-the-environment");
    vi.stubEnv("OPENAI_BASE_URL", baseURL);
    await collect(openai().stream(request));
    await collect(openai({ apiKey: "key-of-the-options" }).stream(request));
    expect(sent).toEqual(["Bearer key-of-the-environment", "Bearer key-of-the-options"]);
  });

  it("needs no key for another server, and then sends none", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    const sent: (string | undefined)[] = [];
    const { baseURL } = await wireServer((response, { headers }) => {
      sent.push(headers.authorization);
      eventStream(response).end(hello.join(""));
    });
    await collect(openai({ baseURL }).stream(request));
    await collect(openai({ baseURL, headers: { authorization: "Basic of-the-headers" } }).stream(request));
    expect(sent).toEqual([undefined, "Basic of-the-headers"]);
  });

  it("sends headers, organization and model", async () => {
    let seen: Record<string, unknown> = {};
    const { baseURL } = await wireServer(async (response, incoming) => {
      const body = (await incoming.setEncoding("utf8").toArray()).join("");
      seen = { ...incoming.headers, path: incoming.url, model: JSON.parse(body).model };
      eventStream(response).end(hello.join(""));
    });
    const model = openai({ baseURL, headers: { "x-team": "core" }, organization: "org-1", model: "m-1" });
    expect(model).toMatchObject({ name: "openai", model: "m-1" });
    await collect(model.stream(request));
    expect(seen).toMatchObject({
      "x-team": "core",
      "openai-organization": "org-1",
      model: "m-1",
      path: "/v1/chat/completions",
    });
  });

  it.each(["localhost", "http://me:pw@127.0.0.1/v1", "http://me:%zz@127.0.0.1/v1"])(
    "refuses the base %s before any request, also from the environment",
    (baseURL) => {
      const refusal = expect.objectContaining({ name: "ProviderError", code: "bad_request" });
      expect(() => openai({ baseURL })).toThrow(refusal);
      vi.stubEnv("OPENAI_BASE_URL", baseURL);
      expect(() => openai()).toThrow(refusal);
    },
  );

  it("gives a server five minutes to begin its answer, as Node does", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const failure = collect(openai({ apiKey: "k", fetch }).stream(request)).catch((thrown) => thrown);
    await vi.advanceTimersByTimeAsync(299_000);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failure).toMatchObject({ code: "timeout" });
  });

  it("uses the fetch it is given", async () => {
    const fetch = async () => new Response(hello.join(""), { headers: { "content-type": "text/event-stream" } });
    expect(await collect(openai({ apiKey: "k", fetch }).stream(request))).toEqual(helloEvents);
  });

  it.each(["\n", "\r\n", "\r"])(
    "reads the same events wherever the network cuts the bytes, lines ending in %j",
    async (lineEnd) => {
      const bytes = new TextEncoder().encode(hello.join("").replaceAll("\n", lineEnd));
      for (let cut = 1; cut < bytes.length; cut++) {
        const body = ReadableStream.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
        const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
        expect(await collect(openai({ apiKey: "k", fetch }).stream(request)), `cut at ${cut}`).toEqual(helloEvents);
      }
    },
  );

  it("ignores comments, other fields and a missing [DONE], and joins data of several lines", async () => {
    const body = `: keep-alive\n\nevent: message\nid: 7\ndata: {"choices":[{"index":0,\ndata: "delta":{"content":"a"},"finish_reason":"stop"}]}\n\n`;
    const { baseURL } = await wireServer((response) => eventStream(response).end(body));
    expect(await collect(openai({ baseURL }).stream(request))).toEqual([
      { type: "text", text: "a" },
      { type: "finish", reason: "stop", raw: "stop" },
    ]);
  });

  it("gives each piece when it arrives, and finishes at [DONE] though the connection stays open", async () => {
    let go = () => {};
    const { baseURL } = await wireServer((response) => {
      eventStream(response).write(hello[0]);
      go = () => response.write(hello.slice(1).join(""));
    });
    const events: ModelEvent[] = [];
    for await (const event of openai({ baseURL }).stream(request)) {
      events.push(event);
      if (events.length === 1) go();
    }
    expect(events).toEqual(helloEvents);
  });

  it("tells a cut stream from a finished one at every cut of the body, and keeps the text that arrived", async () => {
    const body = hello.join("");
    const finishEnd = body.indexOf('"stop"}]}') + '"stop"}]}'.length;
    const { baseURL } = await wireServer((response, { url }) => {
      const length = Number(url?.match(/cut-(\d+)/)?.[1]);
      eventStream(response).write(body.slice(0, length), () => response.destroy());
    });
    for (let length = 1; length < body.length; length += 3) {
      const seen: ModelEvent[] = [];
      const model = openai({ baseURL: `${baseURL}/cut-${length}` });
      const error = await collect(model.stream(request), seen).then(
        () => undefined,
        (thrown: ProviderError) => thrown,
      );
      expect("Hélloo 😀 漢".length).toBeGreaterThan(textOf(seen).length);
      if (length < finishEnd) {
        expect(error, `cut at ${length}`).toBeInstanceOf(ProviderError);
        expect(error).toMatchObject({ code: "cut_stream", retryable: true });
        expect(error?.partial ?? "").toBe(textOf(seen));
      } else {
        expect(error, `cut at ${length}`).toBeUndefined();
        expect(seen.at(-1)).toEqual({ type: "finish", reason: "stop", raw: "stop" });
      }
    }
  });

  it("does not take an end without a finish reason for a finish", async () => {
    const { baseURL } = await wireServer((response) => eventStream(response).end(hello[0] + doneEvent));
    const failure = collect(openai({ baseURL }).stream(request));
    await expect(failure).rejects.toMatchObject({ code: "cut_stream", partial: "Hé", retryable: true });
  });

  it("says so when the server does not speak this wire", async () => {
    const { baseURL } = await wireServer((response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>It works!</h1>"),
    );
    const failure = collect(openai({ baseURL }).stream(request));
    await expect(failure).rejects.toMatchObject({
      code: "bad_response",
      message: expect.stringContaining("text/html"),
    });
  });

  describe("when aborted", () => {
    it("sends nothing if that was before the request", async () => {
      const { baseURL } = await wireServer(() => expect.unreachable("a request was sent"));
      expect(await collect(openai({ baseURL }).stream(request, { signal: AbortSignal.abort() }))).toEqual([
        { type: "finish", reason: "aborted" },
      ]);
    });

    it("finishes as aborted and closes the connection while the server is silent", async () => {
      const controller = new AbortController();
      let closed: Promise<unknown> = Promise.resolve();
      const { baseURL } = await wireServer((response) => {
        closed = once(response, "close");
        controller.abort();
      });
      expect(await collect(openai({ baseURL }).stream(request, { signal: controller.signal }))).toEqual([
        { type: "finish", reason: "aborted" },
      ]);
      await closed;
    });

    it("finishes as aborted and closes the connection in the middle of the answer", async () => {
      const controller = new AbortController();
      let closed: Promise<unknown> = Promise.resolve();
      const { baseURL } = await wireServer((response) => {
        closed = once(response, "close");
        eventStream(response).write(hello[0]);
      });
      const events: ModelEvent[] = [];
      for await (const event of openai({ baseURL }).stream(request, { signal: controller.signal })) {
        events.push(event);
        if (event.type === "text") setTimeout(() => controller.abort(), 1);
      }
      expect(events).toEqual([helloEvents[0], { type: "finish", reason: "aborted" }]);
      await closed;
    });

    it("reads nothing more of what had already arrived", async () => {
      const controller = new AbortController();
      const { baseURL } = await wireServer((response) => eventStream(response).end(hello.join("")));
      const events: ModelEvent[] = [];
      for await (const event of openai({ baseURL }).stream(request, { signal: controller.signal })) {
        events.push(event);
        controller.abort();
      }
      expect(events).toEqual([helloEvents[0], { type: "finish", reason: "aborted" }]);
    });
  });

  it("closes the connection when the reader leaves early", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const { baseURL } = await wireServer((response) => {
      closed = once(response, "close");
      eventStream(response).write(hello[0]);
    });
    for await (const event of openai({ baseURL }).stream(request)) {
      expect(event).toEqual(helloEvents[0]);
      break;
    }
    await closed;
  });
});
