import type { ModelEvent, ThinkingLevel } from "@cogency/provider";
import { eventStream, wireServer } from "@tooling/loopback";
import { chatWire } from "@tooling/wires/chat";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { responsesWire } from "../test/support/responses-wire.ts";
import { openai } from "./openai.ts";
import type { OpenAIWire } from "./options.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const reply = { parts: [{ type: "text", text: "Hello." } as const], usage, finish: "stop" as const };
const answers = { chat: chatWire.answer(reply).join(""), responses: responsesWire.answer(reply).join("") };

/** A server whose model takes these efforts, and what it was asked for. */
async function server(api: "chat" | "responses", takes: readonly string[] = allEfforts) {
  const asked: string[] = [];
  const { baseURL } = await wireServer((response, { body, text }) => {
    const { reasoning_effort: chat, reasoning } = body as { reasoning_effort?: string; reasoning?: { effort: string } };
    const effort = chat ?? reasoning?.effort;
    asked.push(/"(?:reasoning_effort|reasoning)":(?:"\w+"|\{[^}]*\})/.exec(text)?.[0] ?? "");
    if (effort === undefined || takes.includes(effort)) return eventStream(response).end(answers[api]);
    const message = `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model.`;
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }));
  });
  const model = openai({ api, baseURL, apiKey: "k", model: "m" });
  const ask = (thinking: ThinkingLevel, options = {}) =>
    collect(model.stream({ system: "", messages: [{ role: "user", content: "Hi" }], thinking, options }));
  return { asked, ask };
}

const allEfforts = ["none", "minimal", "low", "medium", "high", "xhigh"];
const ignoredIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "ignored" ? [event.message] : []));

describe("how much a model thinks", () => {
  it.each<[OpenAIWire & ("chat" | "responses"), (effort: string) => string]>([
    ["chat", (effort) => `"reasoning_effort":"${effort}"`],
    ["responses", (effort) => `"reasoning":{"effort":"${effort}"}`],
  ])("is an effort over %s", async (api, sent) => {
    const { asked, ask } = await server(api);
    for (const level of ["off", "low", "medium", "high", "max"] as const)
      expect(ignoredIn(await ask(level))).toEqual([]);
    expect(asked).toEqual(["none", "low", "medium", "high", "xhigh"].map(sent));
  });

  it("is the nearest effort that the model has, which is told, and asked for at once from then on", async () => {
    const { asked, ask } = await server("responses", ["minimal", "low", "medium", "high"]);
    expect(ignoredIn(await ask("max"))).toEqual(['The model takes no thinking "max": it was asked for "high".']);
    expect(ignoredIn(await ask("off"))).toEqual(['The model takes no thinking "off": it was asked for "minimal".']);
    await ask("max");
    const efforts = asked.map((text) => /:"(\w+)"/.exec(text)?.[1]);
    expect(efforts).toEqual(["xhigh", "high", "none", "minimal", "high"]);
  });

  it("is left out where the model knows no effort, and the run goes on", async () => {
    const { asked, ask } = await server("chat", []);
    const events = await ask("high");
    expect(ignoredIn(events)).toEqual(['The model takes no thinking "high": it was asked without one.']);
    expect(events).toContainEqual({ type: "text", text: "Hello." });
    expect(asked).toEqual(['"reasoning_effort":"high"', ""]);
  });

  it("joins what the options say of reasoning, and gives way to their own effort", async () => {
    const { asked, ask } = await server("responses");
    await ask("high", { reasoning: { summary: "auto" } });
    await ask("high", { reasoning: { effort: "low" } });
    expect(asked).toEqual(['"reasoning":{"effort":"high","summary":"auto"}', '"reasoning":{"effort":"low"}']);
  });

  it("is nothing that a Realtime session has", () => {
    const { capabilities } = openai({ api: "realtime", apiKey: "k" });
    expect(capabilities.thinking ?? false).toBe(false);
  });
});
