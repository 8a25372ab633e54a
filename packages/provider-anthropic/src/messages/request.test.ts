import type { AssistantMessage, Json, ModelMessage, ToolSpec } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import type { RequestDefaults } from "../endpoint.ts";
import { toMessagesRequest } from "./request.ts";

const defaults: RequestDefaults = { model: "claude-sonnet-5-5", takesTemperature: false };
const hello: ModelMessage = { role: "user", content: "Hello." };
const weather: ToolSpec = {
  name: "weather",
  description: "The weather.",
  parameters: { type: "object", properties: {} },
};
const time: ToolSpec = { name: "time", description: "The time.", parameters: {} };

function bodyOf(request: Partial<ModelRequest>, changed: Partial<RequestDefaults> = {}) {
  return toMessagesRequest({ system: "", messages: [hello], ...request }, { ...defaults, ...changed });
}

function messagesOf(...messages: ModelMessage[]) {
  return bodyOf({ messages }).messages;
}

const text = (content: string) => ({ type: "text", text: content });
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });

describe("toMessagesRequest", () => {
  it("sends only the required fields by default", () => {
    expect(bodyOf({})).toEqual({
      model: "claude-sonnet-5-5",
      max_tokens: 32_000,
      messages: [user(text("Hello."))],
      stream: true,
    });
  });

  it.each<{ field: string; request?: Partial<ModelRequest>; defaults?: Partial<RequestDefaults>; sent: object }>([
    { field: "model", request: { model: "claude-haiku-5-5" }, sent: { model: "claude-haiku-5-5" } },
    { field: "system", request: { system: "Be brief." }, sent: { system: [text("Be brief.")] } },
    {
      field: "maxOutputTokens",
      request: { maxOutputTokens: 9 },
      defaults: { maxOutputTokens: 8 },
      sent: { max_tokens: 9 },
    },
    { field: "the provider's maxOutputTokens", defaults: { maxOutputTokens: 8 }, sent: { max_tokens: 8 } },
    {
      field: "thinking",
      defaults: { thinking: { type: "adaptive" } },
      sent: { thinking: { type: "adaptive" }, max_tokens: 32_000 },
    },
    {
      field: "a budget for thinking, which the limit exceeds",
      defaults: { thinking: { type: "enabled", budget_tokens: 10_000 } },
      sent: { thinking: { type: "enabled", budget_tokens: 10_000 }, max_tokens: 42_000 },
    },
    { field: "stop, but for white space", request: { stop: ["END", "\n\n", ""] }, sent: { stop_sequences: ["END"] } },
    {
      field: "temperature, where it is taken",
      request: { temperature: 0 },
      defaults: { takesTemperature: true },
      sent: { temperature: 0 },
    },
    {
      field: "tools",
      request: { tools: [weather, time] },
      sent: {
        tools: [
          { name: "weather", description: "The weather.", input_schema: { type: "object", properties: {} } },
          { name: "time", description: "The time.", input_schema: { type: "object" } },
        ],
      },
    },
    ...(
      [
        ["auto", { type: "auto" }],
        ["none", { type: "none" }],
        ["required", { type: "any" }],
        [{ name: "time" }, { type: "tool", name: "time" }],
      ] as const
    ).map(([toolChoice, tool_choice]) => ({
      field: `toolChoice ${JSON.stringify(toolChoice)}`,
      request: { tools: [time], toolChoice },
      sent: { tool_choice },
    })),
    {
      field: "format, with other output options",
      request: { format: { type: "object", properties: {} }, options: { output_config: { effort: "low" } } },
      sent: {
        output_config: {
          format: { type: "json_schema", schema: { type: "object", properties: {}, additionalProperties: false } },
          effort: "low",
        },
      },
    },
    {
      field: "options, over everything but the stream",
      request: { options: { max_tokens: 1, top_k: 2, stream: false } },
      sent: { max_tokens: 1, top_k: 2, stream: true },
    },
  ])("sends $field", ({ request = {}, defaults: changed = {}, sent }) => {
    expect(bodyOf(request, changed)).toMatchObject(sent);
  });

  it.each<{ what: string; request: Partial<ModelRequest>; field: string }>([
    { what: "a system text of white space", request: { system: " \n" }, field: "system" },
    { what: "stop sequences of white space", request: { stop: ["\n"] }, field: "stop_sequences" },
    { what: "a tool choice without tools", request: { toolChoice: "auto" }, field: "tool_choice" },
    { what: "an empty list of tools", request: { tools: [] }, field: "tools" },
    { what: "a temperature that the API does not know", request: { temperature: 1 }, field: "temperature" },
  ])("leaves out $what", ({ request, field }) => {
    expect(bodyOf(request)).not.toHaveProperty(field);
  });
});

describe("the messages of a request", () => {
  const calls = [
    { id: "call_1", name: "weather", args: { city: "Oslo" } },
    { id: "call_2", name: "time", args: {} },
  ];
  const results: ModelMessage = {
    role: "tool",
    results: [
      { id: "call_1", name: "weather", content: "Rain.", failed: false },
      { id: "call_2", name: "time", content: " ", failed: true },
    ],
  };
  const uses = [
    { type: "tool_use", id: "call_1", name: "weather", input: { city: "Oslo" } },
    { type: "tool_use", id: "call_2", name: "time", input: {} },
  ];
  const answers = [
    { type: "tool_result", tool_use_id: "call_1", content: "Rain." },
    { type: "tool_result", tool_use_id: "call_2", is_error: true },
  ];

  it.each<{ what: string; messages: ModelMessage[]; sent: object[] }>([
    {
      what: "merge neighbours of one role",
      messages: [hello, { role: "user", content: "Are you there?" }],
      sent: [user(text("Hello."), text("Are you there?"))],
    },
    {
      what: "end with the user, as the server demands",
      messages: [hello, { role: "assistant", content: "Yes." }],
      sent: [user(text("Hello.")), assistant(text("Yes.")), user(text("(Go on.)"))],
    },
    {
      what: "hold calls and their results, which stand first",
      messages: [
        hello,
        { role: "assistant", content: "Let me see.", calls },
        { role: "user", content: "Hurry." },
        results,
        { role: "user", content: "Well?" },
      ],
      sent: [
        user(text("Hello.")),
        assistant(text("Let me see."), ...uses),
        user(...answers, text("Hurry."), text("Well?")),
      ],
    },
    {
      what: "hold no empty text",
      messages: [{ role: "user", content: " " }, { role: "assistant", content: "\n", calls }, results],
      sent: [user(text("(empty message)")), assistant(...uses), user(...answers)],
    },
    {
      what: "begin with the user",
      messages: [{ role: "assistant", content: "Yes." }, hello],
      sent: [user(text("(What was said before is not shown.)")), assistant(text("Yes.")), user(text("Hello."))],
    },
  ])("$what", ({ messages, sent }) => {
    expect(messagesOf(...messages)).toEqual(sent);
  });

  describe("with native blocks", () => {
    const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
    const data = [thinking, text("Let me see."), ...uses];
    const native = (changed: object = {}): AssistantMessage => ({
      role: "assistant",
      content: "Let me see.",
      calls,
      native: { provider: "anthropic", model: "claude-sonnet-5-5", data },
      ...changed,
    });
    const sentFor = (message: AssistantMessage) => messagesOf(hello, message, results)[1]?.content;
    const told = [text("Let me see."), ...uses];

    it("replays them to the byte, in their order", () => {
      expect(JSON.stringify(sentFor(native()))).toBe(JSON.stringify(data));
    });

    it("takes the ids of calls from the message", () => {
      const renamed = calls.map((call, index) => ({ ...call, id: `own_${index}` }));
      expect(sentFor(native({ calls: renamed }))).toEqual([
        thinking,
        text("Let me see."),
        ...uses.map((use, index) => ({ ...use, id: `own_${index}` })),
      ]);
    });

    it("replays them when a store has put the arguments in another order", () => {
      const data = [
        thinking,
        text("Let me see."),
        { type: "tool_use", id: "call_1", name: "weather", input: { a: [{ b: 1, c: null }], d: "e" } },
      ];
      const swapped = [{ id: "call_1", name: "weather", args: { d: "e", a: [{ c: null, b: 1 }] } }];
      const message = native({ calls: swapped, native: { provider: "anthropic", model: "claude-sonnet-5-5", data } });
      expect(sentFor(message)).toEqual(data);
    });

    const [first, second] = calls;
    const of = (data: Json, model = "claude-sonnet-5-5", provider = "anthropic") => ({
      native: { provider, model, data },
    });
    it.each<{ what: string; changed: object; sent?: object[] }>([
      { what: "another model's", changed: of(data as Json, "claude-haiku-5-5") },
      { what: "another provider's", changed: of(data as Json, "claude-sonnet-5-5", "openai") },
      { what: "no blocks", changed: of({ thinking: "Hm." }) },
      { what: "nothing", changed: of([]) },
      { what: "whose text holds markup", changed: of([thinking, text("Let me see.<end>"), ...uses] as Json) },
      {
        what: "without a call of the message",
        changed: of([thinking, text("Let me see."), ...uses.slice(0, 1)] as Json),
      },
      {
        what: "with calls in another order",
        changed: of([thinking, text("Let me see."), ...uses.toReversed()] as Json),
      },
      {
        what: "with a call that the message does not make",
        changed: { calls: [first] },
        sent: [text("Let me see."), uses[0] ?? {}],
      },
      {
        what: "with other arguments than those that ran",
        changed: { calls: [{ ...first, args: { city: "Bergen" } }, second] },
        sent: [text("Let me see."), { ...uses[0], input: { city: "Bergen" } }, uses[1] ?? {}],
      },
      {
        what: "with fewer arguments than those that ran",
        changed: of([thinking, text("Let me see."), { ...uses[0], input: {} }, uses[1] ?? {}] as Json),
      },
      {
        what: "with a shorter list than the one that ran",
        changed: {
          calls: [{ ...first, args: { days: [1, 2] } }],
          ...of([thinking, text("Let me see."), { ...uses[0], input: { days: [1] } }] as Json),
        },
        sent: [text("Let me see."), { ...uses[0], input: { days: [1, 2] } }],
      },
      { what: "with calls, of a message without", changed: { calls: undefined }, sent: [text("Let me see.")] },
    ])("leaves them all out when they are $what", ({ changed, sent = told }) => {
      expect(sentFor(native(changed))).toEqual(sent);
    });

    it("replays them to the model that the request names", () => {
      const request = { system: "", messages: [hello, native(), results], model: "claude-haiku-5-5" };
      expect(toMessagesRequest(request, defaults).messages[1]?.content).toEqual(told);
    });
  });
});
