import { createAgent, defineTool } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { type ModelEvent, type ModelRequest, type Provider, type ScriptedStep, scripted } from "@cogency/provider";
import { type LocalHarness, type ModelReply, providerConformance, withoutWire } from "@cogency/provider/testkit";
import openai from "@cogency/provider-openai";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { keyRing } from "../../test/support/site.ts";
import { anonymousUser } from "../index.ts";
import { createOpenAIHandler } from "./index.ts";

type Api = "chat" | "responses";

const greeting: ModelReply = {
  parts: ["Good ", "morning, ", "and ", "be ", "welcome."].map((text) => ({ type: "text", text })),
  usage: { input: 11, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  finish: "stop",
};

/** A provider of OpenAI's wire, pointed at an agent whose model gives this reply, piece by piece. */
function providerOf(api: Api, reply: ModelReply) {
  const { usage, finish } = reply;
  const events = reply.parts.map((part) =>
    part.type === "call"
      ? { type: "tool_call" as const, id: part.id, name: part.name, arguments: part.pieces.join("") || "{}" }
      : { type: part.type, text: part.text },
  );
  const step = { events, usage, finish, delay: 40 };
  const model = scripted(
    Array.from({ length: 20 }, () => step),
    {
      capabilities: { tools: true, reasoning: true, attachments: ["image", "file"] },
    },
  );
  return pointedAt(api, model);
}

/** A provider of OpenAI's wire, pointed at an agent that has this model. */
function pointedAt(api: Api, provider: Provider) {
  const store = memoryStore();
  const agent = createAgent({ provider, driver: nativeDriver(), store, keyRing, warn: () => {} });
  const authenticate = () => ({ id: anonymousUser, scopes: ["thinking"] }) as const;
  const handler = createOpenAIHandler({ agent, store, authenticate, onError: () => {} });
  return openai({
    api,
    model: "agent",
    baseURL: "http://agent.test/v1",
    apiKey: "a key",
    allowInsecure: true,
    attachments: ["image", "file"],
    fetch: async (input, init) => handler(new Request(input as string, init)),
  });
}

const whole = "what an agent says is a unit of its log, which has no white space around it";
const checked =
  "an agent checks the arguments of calls against the schema of the tool, which needs `topic` and has no other";

/** What cannot be, and why. Tests below show what holds instead. */
const declared = {
  "text arrives exactly and in order": whole,
  "reasoning is kept apart from text": whole,
  "an answer without text has no text": "an agent asks its model again",
  "parallel tool calls are told in call order": checked,
  "arguments that come character by character are put together": checked,
  "a tool call without arguments has the arguments {}": checked,
};

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Go." }] };

describe.each(["chat", "responses"] as const)("a provider over %s whose model is an agent", (api) => {
  const make = (): LocalHarness => ({
    provider: (reply = greeting) => providerOf(api, reply),
    declare: { ...withoutWire, ...declared },
  });
  for (const { name, run } of providerConformance(`agent over ${api}`, make)) it(name, run);

  it("tells text and reasoning exactly, but for white space around them", async () => {
    const pieces = [
      "aé",
      "€ 𝄞",
      "👩‍🚀\n\ndata: x\n\n",
      "[DONE]",
      " ",
      '"\\',
      "\u2028\u0000\t",
      "event: error\r\n",
      "{}",
    ];
    const parts = [
      { type: "reasoning" as const, text: "Is it " },
      { type: "reasoning" as const, text: "morning?" },
      ...pieces.map((text) => ({ type: "text" as const, text })),
    ];
    const events = await collect(providerOf(api, { ...greeting, parts }).stream(request));
    const of = (type: "text" | "reasoning") => events.map((event) => (event.type === type ? event.text : "")).join("");
    expect(of("text")).toBe(pieces.join(""));
    expect(of("reasoning")).toBe("Is it morning?");
  });

  it("tells calls in their order, with whatever arguments the schema allows", async () => {
    const topics = ['a "quoted" \\ path\n€ 𝄞 </execute>', "owls", "elks"];
    const parts = topics.map((topic, at) => ({
      type: "call" as const,
      id: `c${at}`,
      name: "lookup",
      pieces: [JSON.stringify({ topic })],
    }));
    const parameters = { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] };
    const tools = [{ name: "lookup", description: "Looks up.", parameters }];
    const reply: ModelReply = { ...greeting, parts, finish: "tool_calls" };
    const events = await collect(providerOf(api, reply).stream({ ...request, tools }));
    const calls = events.flatMap((event) => (event.type === "tool_call" ? [JSON.parse(event.arguments)] : []));
    expect(calls).toEqual(topics.map((topic) => ({ topic })));
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "tool_calls" });
  });
});

it.each(["chat", "responses"] as const)(
  "lets an agent call its own tools through another agent over %s",
  async (api) => {
    const added: unknown[] = [];
    const adding = defineTool({
      name: "add",
      description: "Adds.",
      input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
      execute: ({ a, b }) => {
        added.push([a, b]);
        return Number(a) + Number(b);
      },
    });
    const steps: ScriptedStep[] = [
      { events: [{ type: "tool_call", id: "c", name: "add", arguments: '{"a":1,"b":2}' }] },
      ({ messages }) => `The result is ${JSON.stringify(messages).includes('"3"') ? 3 : "unknown"}.`,
    ];
    const provider = pointedAt(api, scripted(steps, { capabilities: { tools: true } }));
    const outer = createAgent({ provider, driver: nativeDriver(), tools: [adding] });
    const { text, status } = await outer.ask("Add 1 and 2.");
    expect({ text, status }).toEqual({ text: "The result is 3.", status: "completed" });
    expect(added).toEqual([[1, 2]]);
  },
);

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
