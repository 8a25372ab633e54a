import { once } from "node:events";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { ProviderError } from "@cogency/provider";
import { eventStream } from "@tooling/loopback";
import { dataEvent, deltaEvent, doneEvent } from "@tooling/wires/chat-events";
import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { wireServer } from "../../test/support/wire-server.ts";
import { openai } from "../openai.ts";
import type { OpenAIOptions } from "../options.ts";

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

const estimated = (input: number, output: number): ModelEvent => ({
  type: "usage",
  usage: { input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: true },
});

describe("chatStream", () => {
  it.each(["\n", "\r\n", "\r"])(
    "reads the same events wherever the network cuts the bytes, lines ending in %j",
    async (lineEnd) => {
      const bytes = new TextEncoder().encode(hello.join("").replaceAll("\n", lineEnd));
      for (let cut = 1; cut < bytes.length; cut++) {
        const body = ReadableStream.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
        const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
        expect(await collect(openai({ api: "chat", apiKey: "k", fetch }).stream(request)), `cut at ${cut}`).toEqual(
          helloEvents,
        );
      }
    },
  );

  describe("thinking in the content", () => {
    const think = [
      deltaEvent({ content: "<thi" }),
      deltaEvent({ content: "nk>Hm.</think>\n\nHello" }),
      deltaEvent({}, "stop"),
    ];
    const read = async (options: OpenAIOptions) => {
      const { baseURL } = await wireServer((response) => eventStream(response).end(think.join("")));
      const events = await collect(
        openai({ api: "chat", apiKey: "k", model: "m", baseURL, ...options }).stream(request),
      );
      return events.filter(({ type }) => type === "text" || type === "reasoning");
    };

    it.each<OpenAIOptions>([
      {},
      { preset: "ollama" },
      { preset: "llama.cpp" },
      { preset: "vllm" },
      { preset: "lmstudio" },
    ])("is reasoning with %j", async (options) => {
      expect(await read(options)).toEqual([
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Hello" },
      ]);
    });

    it("is text where the option says that the content holds none", async () => {
      expect(textOf(await read({ thinkBlock: "none" }))).toBe("<think>Hm.</think>\n\nHello");
    });
  });

  it("ignores comments, other fields and a missing [DONE], and joins data of several lines", async () => {
    const body = `: keep-alive\n\nevent: message\nid: 7\ndata: {"choices":[{"index":0,\ndata: "delta":{"content":"a"},"finish_reason":"stop"}]}\n\n`;
    const { baseURL } = await wireServer((response) => eventStream(response).end(body));
    expect(await collect(openai({ baseURL }).stream(request))).toEqual([
      { type: "text", text: "a" },
      { type: "finish", reason: "stop", raw: "stop" },
    ]);
  });

  it("yields each piece when it arrives, and finishes at [DONE] even if the connection stays open", async () => {
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

  it("does not read an end without a finish reason as a finish", async () => {
    const { baseURL } = await wireServer((response) => eventStream(response).end(hello[0] + doneEvent));
    const failure = collect(openai({ baseURL }).stream(request));
    await expect(failure).rejects.toMatchObject({ code: "cut_stream", partial: "Hé", retryable: true });
  });

  it("reads the answer of a server that does not stream", async () => {
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    const { baseURL } = await wireServer((response) =>
      response
        .writeHead(200, { "content-type": "application/json; charset=utf-8" })
        .end(JSON.stringify({ object: "chat.completion", choices, usage: { prompt_tokens: 3, completion_tokens: 2 } })),
    );
    expect(await collect(openai({ baseURL }).stream(request))).toEqual([
      { type: "text", text: "Hello." },
      { type: "usage", usage: { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
      { type: "finish", reason: "stop", raw: "stop" },
    ]);
  });

  it.each([
    ["an error", '{"error":{"message":"Overloaded.","type":"overloaded"}}', "overloaded", "Overloaded."],
    ["something else", '{"status":"ok"}', "bad_response", "Check `baseURL`"],
  ])("says what is wrong with a success that holds %s", async (_, body, code, words) => {
    const { baseURL } = await wireServer((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );
    const failure = collect(openai({ baseURL }).stream(request));
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it("reports a server that does not speak this wire", async () => {
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
    it("reads no more of the bytes that have already arrived", async () => {
      const controller = new AbortController();
      const { baseURL } = await wireServer((response) => eventStream(response).end(hello.join("")));
      const events: ModelEvent[] = [];
      for await (const event of openai({ baseURL }).stream(request, { signal: controller.signal })) {
        events.push(event);
        controller.abort();
      }
      expect(events).toEqual([helloEvents[0], estimated(1, 1), { type: "finish", reason: "aborted" }]);
    });
  });

  it("finishes although the server keeps the connection open and never says [DONE]", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const { baseURL } = await wireServer((response) => {
      closed = once(response, "close");
      eventStream(response).write(deltaEvent({ content: "Hi" }, "stop"));
    });
    expect(await collect(openai({ baseURL }).stream(request))).toEqual([
      { type: "text", text: "Hi" },
      { type: "finish", reason: "stop", raw: "stop" },
    ]);
    await closed;
  });

  it("uses one connection for request after request, also when the body ends a little after [DONE]", async () => {
    const sockets = new Set<unknown>();
    const { baseURL } = await wireServer((response) => {
      sockets.add(response.socket);
      eventStream(response).write(hello.join(""));
      setTimeout(() => response.end(), 1);
    });
    for (let count = 0; count < 10; count++) await collect(openai({ baseURL }).stream(request));
    expect(sockets.size).toBeLessThan(5);
  });

  it("waits for the usage while the consumer is slow", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const fetch = async () => new Response(hello.join(""), { headers: { "content-type": "text/event-stream" } });
    const events: ModelEvent[] = [];
    for await (const event of openai({ api: "chat", apiKey: "k", fetch }).stream(request)) {
      events.push(event);
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(events).toEqual(helloEvents);
  });

  it("yields the reported usage when it is aborted, with the rest estimated", async () => {
    const controller = new AbortController();
    const usage = { prompt_tokens: 90, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 40 } };
    const chunk = { choices: [{ index: 0, delta: { content: "Hello, how are you?" } }], usage };
    const { baseURL } = await wireServer((response) => eventStream(response).write(dataEvent(chunk)));
    const events: ModelEvent[] = [];
    for await (const event of openai({ baseURL }).stream(request, { signal: controller.signal })) {
      events.push(event);
      controller.abort();
    }
    expect(events.slice(1)).toEqual([
      { type: "usage", usage: { input: 50, output: 5, cacheRead: 40, cacheWrite: 0, reasoning: 0, estimated: true } },
      { type: "finish", reason: "aborted" },
    ]);
  });

  it.each([
    { what: "a finish with an error", delta: { content: "Hel" }, finish: "error", code: "server" },
    {
      what: "a call without a name",
      delta: { content: "Hel", tool_calls: [{ index: 0, id: "a", function: { arguments: "{}" } }] },
      finish: "tool_calls",
      code: "bad_response",
    },
  ])("does not read $what as an answer", async ({ delta, finish, code }) => {
    const { baseURL } = await wireServer((response) =>
      eventStream(response).end(deltaEvent(delta, finish) + doneEvent),
    );
    await expect(collect(openai({ baseURL }).stream(request))).rejects.toMatchObject({ code, partial: "Hel" });
  });
});
