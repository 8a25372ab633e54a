import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createAgent, defineTool } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import type { ModelReply, ReplyPart, Wire } from "@cogency/provider/testkit";
import { inPieces, startWireServer } from "@cogency/provider/testkit";
import { chatWire } from "@tooling/wires/chat";
import { wire as geminiWire } from "@tooling/wires/gemini";
import { wire as messagesWire } from "@tooling/wires/messages";
import { extractReasoningMiddleware, wrapLanguageModel } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { aiSdk, type LanguageModel } from "../src/index.ts";
import { v4 } from "./support/models.ts";
import { partsOfReply } from "./support/parts-of-reply.ts";
import { say } from "./support/say.ts";

const usage = { input: 11, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const signature = "U2lnbmF0dXJlT2ZUaGVUaG91Z2h0";
const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});

const thinks: ModelReply = {
  parts: [
    { type: "reasoning", text: "I must add.", signature },
    { type: "text", text: "Let me see." },
    { type: "call", id: "call_a", name: "add", pieces: ['{"a":2,', '"b":3}'], signature },
  ],
  usage,
  finish: "tool_calls",
};

function says(...texts: readonly string[]): ModelReply {
  return { parts: texts.map((text): ReplyPart => ({ type: "text", text })), usage, finish: "stop" };
}

/** A server that thinks and calls, and refuses the next request unless it holds what the server signed. */
async function signingServer(wire: Wire, problem: (messages: string) => string | undefined) {
  const server = await startWireServer();
  onTestFinished(() => server.close());
  const headers = { "content-type": "text/event-stream" };
  server.respond(async (exchange) => {
    const { body } = exchange.request;
    const isSecond = server.exchanges.length > 1;
    const refusal = isSecond ? problem(body) : undefined;
    const frames = wire.answer(isSecond ? says("It is 5.") : thinks);
    await (refusal
      ? inPieces([wire.refusal?.(400, refusal) ?? ""], { status: 400, headers: { "content-type": "application/json" } })
      : inPieces(frames, { headers }))(exchange);
  });
  return server;
}

const signed: [string, Wire, (url: string) => LanguageModel, (body: string) => boolean][] = [
  [
    "@ai-sdk/anthropic sends back a signed thought",
    messagesWire,
    (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: "k" })("claude-sonnet-4-5"),
    (body) => body.includes(JSON.stringify({ type: "thinking", thinking: "I must add.", signature })),
  ],
  [
    "@ai-sdk/google sends back the signature of a call",
    geminiWire,
    (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: "k" })("gemini-3.8-flash"),
    (body) => {
      const { contents } = JSON.parse(body) as { contents: { parts: Record<string, unknown>[] }[] };
      const parts = contents.flatMap((content) => content.parts);
      return parts.some((part) => part.functionCall && part.thoughtSignature === signature);
    },
  ],
  [
    "@ai-sdk/openai-compatible sends back the reasoning and the signature of a call",
    chatWire,
    (url) => createOpenAICompatible({ name: "local", baseURL: `${url}/v1`, apiKey: "k" })("kimi"),
    (body) => body.includes('"reasoning_content":"I must add."') && body.includes(`"thought_signature":"${signature}"`),
  ],
];

describe("the next request of a run with native calls:", () => {
  it.each(signed)("%s", async (_, wire, modelOf, holds) => {
    const refusal = (body: string) => (holds(body) ? undefined : "Invalid `signature` in `thinking` block");
    const server = await signingServer(wire, refusal);
    const agent = createAgent({
      provider: aiSdk({ model: modelOf(server.url) }),
      driver: nativeDriver(),
      tools: [add],
    });
    await expect(agent.run("What is 2 + 3?").result).resolves.toMatchObject({ status: "completed" });
    expect(server.exchanges.map(({ request }) => holds(request.body))).toEqual([false, true]);
  });

  it.each(signed)("a server that refuses wrong signatures refuses one without: not %s", async (_, wire, modelOf) => {
    const server = await signingServer(wire, () => "Invalid `signature` in `thinking` block");
    const agent = createAgent({
      provider: aiSdk({ model: modelOf(server.url) }),
      driver: nativeDriver(),
      tools: [add],
    });
    await expect(agent.run("What is 2 + 3?").result).resolves.toMatchObject({ status: "failed" });
  });
});

describe("a run in the text protocol", () => {
  it("calls a tool of a model that only writes text", async () => {
    const replies = [says('<execute>[{"name":"add","args":{"a":2,', '"b":3}}]</execute>'), says("It is 5.<end>")];
    const model = v4([]);
    model.doStream = async () => v4(partsOfReply(replies.shift() ?? says(""))).doStream({ prompt: [] });
    const agent = createAgent({ provider: aiSdk({ model }), tools: [add] });
    const events: string[] = [];
    for await (const event of agent.run("What is 2 + 3?")) if ("content" in event) events.push(String(event.content));
    expect(events).toContain('[{"tool":"add","status":"success","content":5}]');
    expect(events).toContain("It is 5.");
  });
});

describe("a model in middleware", () => {
  it("is asked through it, and answers through it", async () => {
    const inner = v4(partsOfReply(says("<think>Six times seven.</think>It is 42.")));
    const model = wrapLanguageModel({
      model: inner,
      middleware: [
        extractReasoningMiddleware({ tagName: "think" }),
        { transformParams: async ({ params }) => ({ ...params, temperature: 0.5 }) },
      ],
    });
    const provider = aiSdk({ model });
    const { events } = await say(provider);
    const joined = (type: "text" | "reasoning") =>
      events.map((event) => (event.type === type ? event.text : "")).join("");
    expect([joined("reasoning"), joined("text").trim()]).toEqual(["Six times seven.", "It is 42."]);
    expect(inner.doStreamCalls).toMatchObject([{ temperature: 0.5 }]);
    expect(events.at(-1)).toMatchObject({ type: "finish", native: [{ type: "reasoning" }, { type: "text" }] });
  });
});
