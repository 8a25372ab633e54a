import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV2StreamPart, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Attachment, ModelMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { inPieces, startWireServer } from "@cogency/provider/testkit";
import { chatWire } from "@tooling/wires/chat";
import { wire as messagesWire } from "@tooling/wires/messages";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AiSdkOptions, aiSdk, type LanguageModel } from "../src/index.ts";
import { MockLanguageModelV2, v3, v4 } from "./support/models.ts";
import { hi, say } from "./support/say.ts";

const finish = { type: "finish", finishReason: { unified: "stop", raw: "end" }, usage: {} };
const oldFinish = { type: "finish", finishReason: "stop", usage: {} } as unknown as LanguageModelV2StreamPart;

interface Double extends LanguageModel {
  readonly doStreamCalls: readonly object[];
}

const text = { type: "text-delta", id: "t", delta: "Yes." } as const;

const doubles: Readonly<Record<"v4" | "v3" | "v2", () => Double>> = {
  v4: () => v4([text, finish]),
  v3: () => v3([text, finish]),
  v2: () => new MockLanguageModelV2([text, oldFinish]),
};

/** The options of the call that a request makes. */
async function callOf(request: Partial<ModelRequest>, options: Partial<AiSdkOptions> = {}, model = doubles.v4()) {
  const { error } = await say(aiSdk({ model, ...options }), { ...hi, ...request });
  if (error) throw error;
  const { abortSignal, ...call } = model.doStreamCalls.at(-1) as LanguageModelV4CallOptions;
  return call;
}

const image: Attachment = { kind: "image", mediaType: "image/png", data: "aW1hZ2U=", name: "a.png" };
const there: Attachment = { kind: "image", mediaType: "image/png", data: { url: "https://a.example/A.png" } };

describe("a request", () => {
  it("has the conversation, the tools and the settings in the words of the AI SDK", async () => {
    const messages: ModelMessage[] = [
      { role: "user", content: "Add." },
      {
        role: "assistant",
        content: "Now.",
        calls: [
          { id: "c1", name: "add", args: { a: 1 } },
          { id: "c2", name: "add", args: {} },
        ],
      },
      {
        role: "tool",
        results: [
          { id: "c1", name: "add", content: "1", failed: false },
          { id: "c2", name: "add", content: "no", failed: true },
        ],
      },
    ];
    const parameters = { type: "object", properties: { a: { type: "number" } } };
    const call = await callOf({
      messages,
      tools: [{ name: "add", description: "Adds.", parameters }],
      toolChoice: { name: "add" },
      maxOutputTokens: 9,
      temperature: 0.5,
      stop: ["", "END"],
      options: { anthropic: { effort: "low" } },
    });
    expect(call).toEqual({
      prompt: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Add." }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Now." },
            { type: "tool-call", toolCallId: "c1", toolName: "add", input: { a: 1 } },
            { type: "tool-call", toolCallId: "c2", toolName: "add", input: {} },
          ],
        },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "c1", toolName: "add", output: { type: "text", value: "1" } },
            {
              type: "tool-result",
              toolCallId: "c2",
              toolName: "add",
              output: { type: "error-text", value: "Error: no" },
            },
          ],
        },
      ],
      tools: [{ type: "function", name: "add", description: "Adds.", inputSchema: parameters }],
      toolChoice: { type: "tool", toolName: "add" },
      maxOutputTokens: 9,
      temperature: 0.5,
      stopSequences: ["END"],
      providerOptions: { anthropic: { effort: "low" } },
    });
  });

  it("has neither a system prompt nor settings that nobody gave", async () => {
    const call = await callOf({ system: " ", toolChoice: "required", messages: [{ role: "user", content: "" }] });
    expect(call).toEqual({ prompt: [{ role: "user", content: [{ type: "text", text: "(empty message)" }] }] });
  });

  it("asks for an answer by a schema, or for JSON where no server could be held to it", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    expect(await callOf({ format: schema })).toMatchObject({ responseFormat: { type: "json", schema } });
    const map = { type: "object", additionalProperties: { type: "number" } };
    expect((await callOf({ format: map })).responseFormat).toEqual({ type: "json" });
  });

  it.each(["off", "low", "medium", "high", "max"] as const)("asks for the thinking %s", async (thinking) => {
    const reasoning = thinking === "off" ? "none" : thinking;
    expect(await callOf({ thinking })).toMatchObject({ reasoning });
    expect(await callOf({ thinking })).not.toHaveProperty("providerOptions");
  });

  it("asks a model before v4 for thinking by its provider options, if those are given", async () => {
    const thinking = (level: string) => ({ openai: { reasoningEffort: level } });
    const call = await callOf({ thinking: "low", options: { openai: { user: "u" } } }, { thinking }, doubles.v3());
    expect(call).toMatchObject({ providerOptions: { openai: { reasoningEffort: "low", user: "u" } } });
    expect(call).not.toHaveProperty("reasoning");
  });

  it.each(["v3", "v2"] as const)("says that a model of %s takes no thinking otherwise", async (version) => {
    const { events } = await say(aiSdk({ model: doubles[version]() }), { ...hi, thinking: "low" });
    expect(events[0]).toMatchObject({ type: "ignored", setting: "thinking" });
  });

  it("says what a model warns of its thinking, and nothing else", async () => {
    const warnings = [
      { type: "unsupported", feature: "topK" },
      { type: "unsupported", feature: "reasoning", details: 'reasoning "low" is not supported.' },
    ];
    const provider = aiSdk({ model: v4([{ type: "stream-start", warnings }, finish]) });
    const ignored = { type: "ignored", setting: "thinking", message: 'reasoning "low" is not supported.' };
    expect((await say(provider, { ...hi, thinking: "low" })).events[0]).toEqual(ignored);
    expect((await say(provider)).events.map(({ type }) => type)).toEqual(["finish"]);
  });

  it("must have options that are provider options", async () => {
    const wrong = callOf({ options: { effort: "low" } });
    await expect(wrong).rejects.toMatchObject({ code: "bad_request", message: expect.stringContaining('"effort"') });
  });

  it("for another model needs a way to make it", async () => {
    const other = doubles.v4();
    await expect(callOf({ model: "other" })).rejects.toMatchObject({ code: "unsupported" });
    await expect(callOf({ model: "other" }, { models: () => doubles.v2() })).rejects.toMatchObject({
      code: "unsupported",
    });
    const { error } = await say(aiSdk({ model: doubles.v4(), models: () => other }), { ...hi, model: "other" });
    expect({ error, calls: other.doStreamCalls.length }).toEqual({ error: undefined, calls: 1 });
  });

  it("that is aborted before the model was asked asks for nothing", async () => {
    const model = doubles.v4();
    await say(aiSdk({ model }), hi, { signal: AbortSignal.abort() });
    expect(model.doStreamCalls).toEqual([]);
  });
});

describe("an attachment", () => {
  it.each([
    ["v4", { type: "data", data: "aW1hZ2U=" }],
    ["v3", "aW1hZ2U="],
    ["v2", "aW1hZ2U="],
  ] as const)("is a file of specification %s", async (version, data) => {
    const content = [{ kind: "text", text: "Look." } as const, image];
    const { prompt } = await callOf({ system: "", messages: [{ role: "user", content }] }, {}, doubles[version]());
    const file = { type: "file", mediaType: "image/png", filename: "a.png", data };
    expect(prompt).toEqual([{ role: "user", content: [{ type: "text", text: "Look." }, file] }]);
  });

  it.each([
    ["v4", { type: "url", url: new URL("https://a.example/A.png") }],
    ["v3", new URL("https://a.example/A.png")],
    ["v2", new URL("https://a.example/A.png")],
  ] as const)("with an address that the server fetches is one in %s", async (version, data) => {
    const model = Object.assign(doubles[version](), {});
    Object.defineProperty(model, "supportedUrls", {
      value: Promise.resolve({ "image/*": [/^https:\/\/a\.example\/a\.png$/g] }),
    });
    for (const _ of ["first", "second"]) {
      const { prompt } = await callOf({ system: "", messages: [{ role: "user", content: [there] }] }, {}, model);
      expect(prompt).toEqual([{ role: "user", content: [{ type: "file", mediaType: "image/png", data }] }]);
    }
  });

  it.each<[string, Record<string, RegExp[]>]>([
    ["no address", {}],
    ["addresses of another type", { "application/pdf": [/.*/] }],
    ["another address", { "image/*": [/^https:\/\/b\.example/] }],
  ])("with an address is refused where the server fetches %s", async (_, supportedUrls) => {
    const model = v4([finish], { supportedUrls });
    const asked = callOf({ messages: [{ role: "user", content: [there] }] }, {}, model);
    await expect(asked).rejects.toMatchObject({ code: "unsupported" });
    expect(model.doStreamCalls).toEqual([]);
  });

  it("of a result is a message of the user after it", async () => {
    const { prompt } = await callOf({
      system: "",
      messages: [
        { role: "user", content: "Look." },
        { role: "assistant", content: "", calls: [{ id: "c1", name: "shoot", args: {} }] },
        { role: "tool", results: [{ id: "c1", name: "shoot", content: "done", failed: false, attachments: [image] }] },
      ],
    });
    expect(prompt.slice(2)).toEqual([
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c1", toolName: "shoot", output: { type: "text", value: "done" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "Files from the result of shoot (c1):" },
          { type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: "aW1hZ2U=" } },
        ],
      },
    ]);
  });
});

describe("native blocks", () => {
  const metadata = { acme: { signature: "s" } };
  const parts = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Hm." },
    { type: "reasoning-end", id: "r", providerMetadata: metadata },
    { type: "tool-call", toolCallId: "srv", toolName: "search", input: '{"q":1}', providerExecuted: true },
    { type: "tool-result", toolCallId: "srv", toolName: "search", result: "thinking", preliminary: true },
    { type: "tool-result", toolCallId: "srv", toolName: "search", result: [{ url: "u" }], isError: true },
    { type: "source", sourceType: "url", id: "s", url: "https://a.example" },
    { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1, 2, 3]) } },
    { type: "reasoning-file", mediaType: "image/png", data: { type: "url", url: new URL("https://a.example/x.png") } },
    { type: "custom", kind: "acme.compaction", providerMetadata: metadata },
    { type: "text-delta", id: "t", delta: "Yes." },
    { type: "tool-call", toolCallId: "bad id", toolName: "add", input: '{"a":1}', providerMetadata: metadata },
    finish,
  ];

  async function assistantContent(model: Double) {
    const { events } = await say(aiSdk({ model: v4(parts) }));
    const last = events.at(-1);
    const data = last?.type === "finish" ? (JSON.parse(JSON.stringify(last.native)) as never) : null;
    const native = { provider: "ai-sdk:mock-provider", model: "mock-model-id", data };
    const call = { id: "call_7", name: "add", args: { a: 1 } };
    const { prompt } = await callOf(
      {
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: "Yes.", calls: [call], native },
          { role: "tool", results: [{ id: "call_7", name: "add", content: "1", failed: false }] },
        ],
      },
      {},
      model,
    );
    return prompt[2]?.content;
  }

  it("come back as the parts of a prompt, with the ids of the message", async () => {
    expect(await assistantContent(doubles.v4())).toEqual([
      { type: "reasoning", text: "Hm.", providerOptions: metadata },
      { type: "tool-call", toolCallId: "srv", toolName: "search", input: { q: 1 }, providerExecuted: true },
      {
        type: "tool-result",
        toolCallId: "srv",
        toolName: "search",
        output: { type: "error-json", value: [{ url: "u" }] },
      },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
      {
        type: "reasoning-file",
        mediaType: "image/png",
        data: { type: "url", url: new URL("https://a.example/x.png") },
      },
      { type: "custom", kind: "acme.compaction", providerOptions: metadata },
      { type: "text", text: "Yes." },
      { type: "tool-call", toolCallId: "call_7", toolName: "add", input: { a: 1 }, providerOptions: metadata },
    ]);
  });

  it("come back to a model before v4 without what its specification does not know", async () => {
    const types = ((await assistantContent(doubles.v3())) as { type: string }[]).map(({ type }) => type);
    expect(types).toEqual(["reasoning", "tool-call", "tool-result", "file", "text", "tool-call"]);
  });

  it("do not exist for an answer of text and calls alone", async () => {
    const plain = [
      { type: "text-delta", id: "t", delta: "Yes." },
      { type: "tool-call", toolCallId: "a", toolName: "add", input: "{}" },
      finish,
    ];
    const { events } = await say(aiSdk({ model: v4(plain) }));
    expect(events.at(-1)).toEqual({ type: "finish", reason: "tool_calls", raw: "end" });
  });

  it("show nothing of a tool that the server runs", async () => {
    const { events } = await say(aiSdk({ model: v4(parts) }));
    expect(events.flatMap((event) => (event.type === "tool_call" ? [event.name] : []))).toEqual(["add"]);
  });
});

describe("options of a request", () => {
  it.each([
    [
      "@ai-sdk/openai-compatible",
      chatWire,
      (url: string) => createOpenAICompatible({ name: "local", baseURL: url, apiKey: "k" })("m"),
      { local: { canary_option: "as it is" } },
      '"canary_option":"as it is"',
    ],
    [
      "@ai-sdk/anthropic",
      messagesWire,
      (url: string) => createAnthropic({ baseURL: url, apiKey: "k" })("claude-sonnet-4-5"),
      { anthropic: { metadata: { userId: "canary" } } },
      '"metadata":{"user_id":"canary"}',
    ],
  ])("reach the server of %s", async (_, wire, modelOf, options, words) => {
    const server = await startWireServer();
    onTestFinished(() => server.close());
    const reply = {
      parts: [],
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      finish: "stop",
    } as const;
    server.respond(inPieces(wire.answer(reply), { headers: { "content-type": "text/event-stream" } }));
    await say(aiSdk({ model: modelOf(server.url) }), { ...hi, options });
    expect(server.exchanges.at(-1)?.request.body).toContain(words);
  });
});
