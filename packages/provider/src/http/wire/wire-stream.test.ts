import { getEventListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { collect } from "../../../test/support/collect.ts";
import { estimateUsage, type ModelEvent, type ModelRequest, ProviderError } from "../../index.ts";
import { type EndpointSettings, httpEndpoint } from "../endpoint/http-endpoint.ts";
import { reportedError } from "../errors/reported-error.ts";
import { type WireRequest, type WireRules, wireStream } from "./wire-stream.ts";

const key = "key-of-the-test";
const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };
const url = new URL("https://parrot.example/v1");

interface State {
  text: string;
  end?: string;
}

type Chunk = { text?: string; end?: string; error?: object };

/** A wire of texts, whose answer is complete with its `end`; `paused` asks for another request. */
const rules: WireRules<State> = {
  name: "Parrot",
  baseURL: "it ends in /v1",
  lacks: "without an end",
  begin: () => expect.unreachable("Each test has its own."),
  reduce(state, chunk, meter) {
    const { text = "", end, error } = chunk as Chunk;
    if (error) throw reportedError(error);
    meter.holds("blocks", state.text.length);
    return [{ ...state, text: state.text + text, ...(end && { end }) }, text === "" ? [] : [{ type: "text", text }]];
  },
  isComplete: ({ end }) => end !== undefined,
  isEmpty: ({ text }) => text === "",
  problem: ({ end }) => (end === "broken" ? new ProviderError("server", "It finished with an error.") : undefined),
  textOf: ({ text }) => text,
  conclude: () => [{ type: "finish", reason: "stop" }],
  usageOfAborted: ({ text }, asked) => estimateUsage(asked, text),
};

const eventStream = { "content-type": "text/event-stream" };
const event = (chunk: Chunk | readonly Chunk[]) => `data: ${JSON.stringify(chunk)}\n\n`;
const said = (...texts: string[]): ModelEvent[] => texts.map((text) => ({ type: "text", text }));
const finish: ModelEvent = { type: "finish", reason: "stop" };

/** An answer of these chunks; then the body ends, or stays open, or breaks. */
function answer(
  chunks: readonly (Chunk | readonly Chunk[])[],
  ending: "ends" | "stays open" | Error = "ends",
): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(event(chunk)));
      if (ending === "ends") controller.close();
    },
    pull(controller) {
      if (ending instanceof Error) controller.error(ending);
    },
  });
  return new Response(body, { headers: eventStream });
}

function streamOf(
  responses: readonly (Response | (() => Promise<Response>))[],
  other: Partial<WireRules<State>> = {},
  settings: Partial<EndpointSettings> = {},
) {
  const left = [...responses];
  const begin = (): WireRequest<State> => asked({ text: "" });
  const asked = (state: State): WireRequest<State> => ({
    state,
    async ask(signal) {
      const response = left.shift() ?? expect.unreachable("It made one request more.");
      if (typeof response === "function") {
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
        return Promise.race([response(), aborted]);
      }
      return response;
    },
    next: ({ text, end }) => (end === "paused" ? asked({ text }) : undefined),
  });
  return wireStream(httpEndpoint({ url, keys: [key], ...settings }), { ...rules, begin, ...other });
}

describe("wireStream", () => {
  it("yields the pieces, and ends as the rules say", async () => {
    const stream = streamOf([answer([{ text: "Hel" }, { text: "lo." }, { end: "stop" }])]);
    expect(await collect(stream(request))).toEqual([...said("Hel", "lo."), finish]);
  });

  it("continues an answer that the server has paused, in the same state", async () => {
    const stream = streamOf([
      answer([{ text: "One, " }, { end: "paused" }]),
      answer([{ text: "two." }, { end: "stop" }]),
    ]);
    expect(await collect(stream(request))).toEqual([...said("One, ", "two."), finish]);
  });

  it("ignores chunks after a complete answer", async () => {
    const stream = streamOf([answer([{ end: "stop" }, { text: "More." }])]);
    expect(await collect(stream(request))).toEqual([finish]);
  });

  it("reads on after a complete answer if the wire sends more, until the server is silent for as long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stream = streamOf([answer([{ end: "stop" }, { text: "More." }], "stays open")], { longestWait: 1000 });
    const events = collect(stream(request));
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await events).toEqual([...said("More."), finish]);
  });

  it("waits no less for what comes after a complete answer because its consumer is slow", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stream = streamOf([answer([{ end: "stop" }, { text: "More." }, { text: "Yet more." }])], {
      longestWait: 1000,
    });
    const events: ModelEvent[] = [];
    for await (const event of stream(request)) {
      events.push(event);
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(events).toEqual([...said("More.", "Yet more."), finish]);
  });

  it("takes a list as chunks where the wire has lists", async () => {
    const chunks = [[{ text: "Hel" }, { text: "lo." }], { end: "stop" }];
    expect(await collect(streamOf([answer(chunks)], { hasLists: true })(request))).toEqual([
      ...said("Hel", "lo."),
      finish,
    ]);
  });

  it.each<[string, Response, object, Partial<WireRules<State>>?]>([
    ["breaks off", answer([{ text: "Hel" }]), { code: "cut_stream", partial: "Hel", message: /without an end/ }],
    ["is a page", new Response("<p>"), { code: "bad_response", message: /text\/plain.*Check `baseURL`; it ends in/ }],
    ["has no body", new Response(null, { status: 204 }), { code: "bad_response", message: /answered with no body/ }],
    [
      "reports a failure",
      answer([{ text: "Hel" }, { error: { type: "overloaded" } }]),
      { code: "overloaded", partial: "Hel" },
    ],
    ["loses its connection", answer([{ text: "Hel" }], new Error("reset")), { code: "cut_stream", message: /reset/ }],
    ["is complete and wrong", answer([{ text: "Hel" }, { end: "broken" }]), { code: "server", partial: "Hel" }],
    [
      "repeats the key",
      answer([{ text: key }, { error: { message: key } }]),
      { partial: "[redacted]", message: /\[redacted\]/ },
    ],
    [
      "ends in an error after its end, on a wire that minds",
      answer([{ end: "stop" }, { error: { type: "overloaded" } }]),
      { code: "overloaded" },
      { longestWait: 1000, endsAnswer: () => true },
    ],
  ])(
    "throws a ProviderError where the answer %s",
    async (_, response, { message, ...fields }: { message?: RegExp }, other) => {
      const failure = await collect(streamOf([response], other)(request)).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ProviderError);
      expect(failure).toMatchObject(fields);
      expect(String(failure)).toMatch(message ?? "");
    },
  );

  it("loses nothing where the connection breaks after a complete answer", async () => {
    const stream = streamOf([answer([{ end: "stop" }], new Error("reset"))], { longestWait: 1000 });
    expect(await collect(stream(request))).toEqual([finish]);
  });

  it.each([
    ["characters", { answerCharacters: 5 }],
    ["blocks, as the rules count them", { blocks: 2 }],
  ])("ends an answer of too many %s", async (_, limits) => {
    const stream = streamOf([answer([{ text: "Hel" }, { text: "lo." }])], {}, { limits });
    await expect(collect(stream(request))).rejects.toMatchObject({ code: "answer_too_large", partial: "Hel" });
  });

  it.each([{ text: "Hel" }, { text: "Hel", end: "stop" }])(
    "passes an error of its consumer after %j",
    async (chunk) => {
      const error = new Error("The consumer's own.");
      const events = streamOf([answer([chunk], "stays open")], { longestWait: 1000 })(request)[Symbol.asyncIterator]();
      expect(await events.next()).toMatchObject({ value: { text: "Hel" } });
      await expect(events.throw?.(error)).rejects.toBe(error);
    },
  );

  it("passes an error of `begin` unchanged", async () => {
    const error = new TypeError("The wire's own.");
    const begin = () => {
      throw error;
    };
    await expect(collect(streamOf([], { begin })(request))).rejects.toBe(error);
  });

  it.each<[string, Response | (() => Promise<Response>), ModelEvent[]]>([
    ["while the server thinks", () => new Promise<Response>(() => {}), []],
    ["in the middle of the answer", answer([{ text: "Hel" }], "stays open"), said("Hel")],
  ])("ends as aborted %s, with an estimate, and leaves no listener", async (_, response, before) => {
    const controller = new AbortController();
    const events = streamOf([response])(request, controller)[Symbol.asyncIterator]();
    for (const value of before) expect(await events.next()).toEqual({ done: false, value });
    const next = events.next();
    await new Promise((resolve) => setTimeout(resolve));
    controller.abort();
    expect(await next).toMatchObject({ value: { type: "usage", usage: { estimated: true } } });
    expect(await events.next()).toEqual({ done: false, value: { type: "finish", reason: "aborted" } });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("makes no request for a signal that is aborted already", async () => {
    const events = await collect(streamOf([])(request, { signal: AbortSignal.abort() }));
    expect(events).toEqual([{ type: "finish", reason: "aborted" }]);
  });
});
