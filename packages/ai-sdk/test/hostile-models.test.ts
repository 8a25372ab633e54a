import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { isProviderError } from "@cogency/provider";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { type AiSdkOptions, aiSdk, type LanguageModel } from "../src/index.ts";
import { v4 } from "./support/models.ts";
import { hi, say } from "./support/say.ts";

const text = (delta: unknown, id: unknown = "1") => ({ type: "text-delta", id, delta });
const usage = { inputTokens: { total: 3 }, outputTokens: { total: 2 } };
const finish = (unified: unknown = "stop", rest: object = {}) => ({
  ...{ type: "finish", finishReason: { unified, raw: "end" }, usage },
  ...rest,
});
const call = (input: unknown, rest: object = {}) => ({
  ...{ type: "tool-call", toolCallId: "a", toolName: "read", input },
  ...rest,
});
const endless = (part: unknown) => ({
  *[Symbol.iterator]() {
    for (;;) yield part;
  },
});
const deep = (levels: number): unknown => (levels === 0 ? 1 : { inner: deep(levels - 1) });
const circular: Record<string, unknown> = { big: 1n };
circular.self = circular;
const trap = new Proxy(
  {},
  {
    get: () => {
      throw new Error("inner words");
    },
  },
);

function asked(doStream: () => unknown): LanguageModel {
  return new MockLanguageModelV4({ doStream: doStream as MockLanguageModelV4["doStream"] });
}

function pulled(parts: Iterable<unknown>): ReadableStream<LanguageModelV4StreamPart> {
  const iterator = (parts as Iterable<LanguageModelV4StreamPart>)[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

describe("an answer is complete although its model", () => {
  const plain = [
    { type: "text", text: "Hello." },
    { type: "usage", usage: { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
    { type: "finish", reason: "stop", raw: "end" },
  ];
  it.each<[string, unknown[]]>([
    ["finishes twice", [text("Hello."), finish(), finish("length")]],
    [
      "says more after its finish",
      [text("Hello."), finish(), text("More."), call("{}"), { type: "error", error: "late" }],
    ],
    ["sends a delta of a block that never began", [text("Hello.", "nowhere"), finish()]],
    ["leaves a block open", [{ type: "text-start", id: "1" }, text("Hello."), finish()]],
    ["ends a block that never began", [{ type: "text-end", id: "9" }, text("Hello."), finish()]],
    [
      "begins the same block twice",
      [{ type: "text-start", id: "1" }, { type: "text-start", id: "1" }, text("Hello."), finish()],
    ],
    [
      "sends parts of unknown types",
      [{ type: "new-thing", id: "1", delta: "?" }, { type: 7 }, {}, text("Hello."), finish()],
    ],
    ["sends what is no part", [null, "text", 4, [], undefined, text("Hello."), finish()]],
    ["sends deltas that are no text", [text({ a: 1 }), text(null), text("Hello.", 5), finish()]],
    [
      "sends arguments of a call that never began",
      [{ type: "tool-input-delta", id: "x", delta: "{" }, text("Hello."), finish()],
    ],
    ["has metadata that refer to themselves", [{ ...text("Hello."), providerMetadata: circular }, finish()]],
    ["warns of nonsense", [{ type: "stream-start", warnings: [null, 1, {}] }, text("Hello."), finish()]],
    ["sends pings and raw chunks", [{ type: "ping" }, { type: "raw", rawValue: circular }, text("Hello."), finish()]],
  ])("%s", async (_, parts) => {
    expect(await say(aiSdk({ model: v4(parts) }))).toEqual({ events: plain, error: undefined });
  });

  it("counts its tokens in words", async () => {
    const odd = { inputTokens: { total: "3", noCache: -1 }, outputTokens: { total: Number.NaN, reasoning: 1.5 } };
    const { events } = await say(aiSdk({ model: v4([text("Hello."), finish("stop", { usage: odd })]) }));
    expect(events).toEqual([plain[0], plain[2]]);
  });

  it("claims more reasoning than output", async () => {
    const odd = { inputTokens: { total: 3 }, outputTokens: { total: 2, reasoning: 9 } };
    const { events } = await say(aiSdk({ model: v4([finish("stop", { usage: odd })]) }));
    expect(events[0]).toMatchObject({ usage: { output: 2, reasoning: 2 } });
  });
});

describe("a call is usable although its model", () => {
  it.each<[string, unknown[], object[]]>([
    ["gives only the whole call", [call('{"a":1}')], [{ id: "a", arguments: '{"a":1}' }]],
    ["gives the arguments as a value", [call({ a: 1 })], [{ id: "a", arguments: '{"a":1}' }]],
    [
      "gives no arguments",
      [call(""), call(undefined, { toolCallId: "b" })],
      [{ arguments: "{}" }, { arguments: "{}" }],
    ],
    ["gives arguments that are no JSON", [call('{"a":')], [{ id: "a", arguments: '{"a":' }]],
    ["uses an id twice", [call("{}"), call('{"a":2}')], [{ id: "a" }, { id: "call_1", arguments: '{"a":2}' }]],
    ["gives no id", [call("{}", { toolCallId: undefined })], [{ id: "call_0" }]],
    [
      "never says that the call is whole",
      [
        { type: "tool-input-start", id: "a", toolName: "read" },
        { type: "tool-input-delta", id: "a", delta: '{"a":1}' },
      ],
      [{ id: "a", name: "read", arguments: '{"a":1}' }],
    ],
    [
      "changes the arguments at the end",
      [
        { type: "tool-input-start", id: "a", toolName: "old" },
        { type: "tool-input-delta", id: "a", delta: '{"b":1}' },
        call('{"a":1}'),
      ],
      [{ id: "a", name: "read", arguments: '{"a":1}' }],
    ],
  ])("%s", async (_, parts, calls) => {
    const { events, error } = await say(aiSdk({ model: v4([...parts, finish("tool-calls")]) }));
    expect(error).toBeUndefined();
    expect(events.filter(({ type }) => type === "tool_call")).toMatchObject(calls);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "tool_calls" });
  });

  it("is cut off before the arguments, which are then not made up", async () => {
    const parts = [{ type: "tool-input-start", id: "a", toolName: "read" }, finish("length")];
    const { events } = await say(aiSdk({ model: v4(parts) }));
    expect(events).toContainEqual({ type: "tool_call", id: "a", name: "read", arguments: "" });
  });
});

describe("the error is a ProviderError, with the text so far, if the model", () => {
  const before = [text("Hel"), text("lo.")];
  it.each<[string, LanguageModel, object, Partial<AiSdkOptions>?]>([
    ["ends without a finish", v4(before), { code: "cut_stream" }],
    ["says that its server did not finish", v4([...before, finish("interrupted")]), { code: "cut_stream" }],
    ["finishes with an error", v4([...before, finish("error")]), { code: "server" }],
    [
      "sends an error as a text",
      v4([...before, { type: "error", error: "Too bad" }]),
      { code: "server", message: /Too bad/ },
    ],
    [
      "sends an error as an object",
      v4([...before, { type: "error", error: { message: "Busy", type: "overloaded_error" } }]),
      { code: "overloaded", message: /Busy/ },
    ],
    ["sends an error without a reason", v4([...before, { type: "error" }]), { code: "server" }],
    ["sends an Error", v4([...before, { type: "error", error: new Error("socket hang up") }]), { code: "cut_stream" }],
    ["sends a part that throws when it is read", v4([...before, trap]), { code: "cut_stream" }],
    ["calls a tool without a name", v4([...before, call("{}", { toolName: "" }), finish()]), { code: "bad_response" }],
    [
      "asks to approve a tool of its server",
      v4([...before, { type: "tool-approval-request", approvalId: "x", toolCallId: "y" }, finish()]),
      { code: "unsupported" },
    ],
    [
      "has metadata of a thousand levels",
      v4([...before, { ...text("!"), providerMetadata: deep(1_000) }, finish()]),
      { code: "answer_too_large" },
    ],
    [
      "talks without end",
      asked(async () => ({ stream: pulled([...before, ...Array(1_000).fill(text("more "))]) })),
      { code: "answer_too_large" },
      { limits: { answerCharacters: 8 } },
    ],
    [
      "begins too many blocks",
      v4([...before, ...Array(20).fill({ type: "text-start", id: "x" })]),
      { code: "answer_too_large", message: /limits\.blocks/ },
      { limits: { blocks: 9 } },
    ],
    [
      "makes too many calls",
      v4([...before, ...Array(20).fill(call("{}"))]),
      { code: "answer_too_large", message: /limits\.calls/ },
      { limits: { calls: 9 } },
    ],
  ])("%s", async (_, model, expected, options) => {
    const { events, error } = await say(aiSdk({ model, ...options }));
    expect(error).toMatchObject({ ...matching(expected), name: "ProviderError", partial: "Hello." });
    expect(events.some(({ type }) => type === "finish")).toBe(false);
  });

  it.each<[string, () => unknown, string]>([
    [
      "throws at once",
      () => {
        throw new TypeError("no such thing");
      },
      "bad_request",
    ],
    ["rejects with nothing", () => Promise.reject(), "bad_request"],
    ["rejects with a text", () => Promise.reject("no"), "bad_request"],
    ["gives nothing", async () => undefined, "bad_response"],
    ["gives no stream", async () => ({ stream: [text("Hello.")] }), "bad_response"],
    [
      "gives a stream that somebody else reads",
      async () => {
        const stream = pulled([]);
        stream.getReader();
        return { stream };
      },
      "bad_response",
    ],
  ])("%s", async (_, doStream, code) => {
    const { events, error } = await say(aiSdk({ model: asked(doStream) }));
    expect(events).toEqual([]);
    expect(isProviderError(error)).toBe(true);
    expect(error).toMatchObject({ code });
  });

  it("sends pings without end", async () => {
    const model = asked(async () => ({ stream: pulled(endless({ type: "ping" })) }));
    const { error } = await say(aiSdk({ model, limits: { answerCharacters: 5_000 } }));
    expect(error).toMatchObject({ code: "answer_too_large" });
  });

  it.each<[string, () => unknown, AiSdkOptions["timeouts"], object]>([
    ["never gives a stream", () => new Promise(() => {}), { firstByte: 20 }, { code: "timeout", partial: undefined }],
    ["never gives a part", async () => ({ stream: new ReadableStream() }), { firstByte: 20 }, { code: "timeout" }],
    [
      "falls silent",
      async () => ({ stream: thenSilent(before) }),
      { idle: 200 },
      { code: "timeout", partial: "Hello." },
    ],
    [
      "takes longer than it may",
      async () => ({ stream: thenSilent(before) }),
      { total: 200 },
      { code: "timeout", partial: "Hello." },
    ],
  ])("%s", async (_, doStream, timeouts, expected) => {
    const { error } = await say(aiSdk({ model: asked(doStream), timeouts }));
    expect(error).toMatchObject({ ...expected, retryable: true });
  });
});

describe("an abort ends an answer at once although its model", () => {
  it.each<[string, () => unknown]>([
    ["never gives a stream", () => new Promise(() => {})],
    ["never gives a part", async () => ({ stream: new ReadableStream() })],
    [
      "never lets itself be cancelled",
      async () => ({ stream: new ReadableStream({ cancel: () => new Promise(() => {}) }) }),
    ],
    [
      "throws when it is cancelled",
      async () => ({
        stream: new ReadableStream({
          cancel: () => {
            throw new Error("no");
          },
        }),
      }),
    ],
  ])("%s", async (_, doStream) => {
    const controller = new AbortController();
    const answer = say(aiSdk({ model: asked(doStream) }), hi, { signal: controller.signal });
    controller.abort();
    const { events, error } = await answer;
    expect(error).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(["usage", "finish"]);
    expect(events).toMatchObject([{ usage: { estimated: true } }, { reason: "aborted" }]);
  });

  it("gives its stream only then, which is cancelled", async () => {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const called = Promise.withResolvers<void>();
    let isCancelled = false;
    const model = asked(() => {
      called.resolve();
      return promise;
    });
    const answer = say(aiSdk({ model }), hi, { signal: controller.signal });
    await called.promise;
    controller.abort();
    await answer;
    resolve({
      stream: new ReadableStream({
        cancel: () => {
          isCancelled = true;
        },
      }),
    });
    await expect.poll(() => isCancelled).toBe(true);
  });

  it("goes on and on", async () => {
    const controller = new AbortController();
    const model = asked(async () => ({ stream: pulled(endless(text("more "))) }));
    const types: string[] = [];
    for await (const event of aiSdk({ model }).stream(hi, { signal: controller.signal })) {
      types.push(event.type);
      if (types.length === 3) controller.abort();
    }
    expect(types).toEqual(["text", "text", "text", "usage", "finish"]);
  });
});

it("a consumer that leaves cancels the model's stream and aborts its signal", async () => {
  let isCancelled = false;
  const model = v4([]);
  model.doStream = async ({ abortSignal }) => {
    abortSignal?.addEventListener("abort", () => {
      aborted = true;
    });
    return {
      stream: new ReadableStream({
        pull: (controller) => controller.enqueue({ type: "text-delta", id: "1", delta: "x" }),
        cancel: () => {
          isCancelled = true;
        },
      }),
    };
  };
  let aborted = false;
  for await (const _ of aiSdk({ model }).stream(hi)) break;
  expect({ isCancelled, aborted }).toEqual({ isCancelled: true, aborted: true });
});

it("middleware does its last work after the finish of the model", async () => {
  let isFlushed = false;
  const parts = pulled([text("Hello."), finish()]);
  const stream = parts.pipeThrough(
    new TransformStream({
      flush: () => {
        isFlushed = true;
      },
    }),
  );
  await say(aiSdk({ model: asked(async () => ({ stream })) }));
  expect(isFlushed).toBe(true);
});

it("a model that leaves its stream open after the finish is waited for a moment only", async () => {
  const { events } = await say(
    aiSdk({ model: asked(async () => ({ stream: thenSilent([text("Hello."), finish()]) })) }),
  );
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
});

function thenSilent(parts: readonly unknown[]): ReadableStream<unknown> {
  return new ReadableStream({ start: (controller) => parts.forEach((part) => void controller.enqueue(part)) });
}

function matching(expected: object): object {
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );
}
