import type { ToolSpec } from "@cogency/protocol";
import { structuralTag, type TurnLanguage, turnGrammar } from "@cogency/protocol/grammar";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { eventStream, wireServer } from "@tooling/loopback";
import { chatWire } from "@tooling/wires/chat";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { openai } from "./openai.ts";
import type { PresetName } from "./presets.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const answer = chatWire.answer({ parts: [{ type: "text", text: "Hello." }], usage, finish: "stop" }).join("");
const read: ToolSpec = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
};
const grammar: TurnLanguage = { tools: [read] };

type Body = { grammar?: unknown; structured_outputs?: { structural_tag?: unknown }; response_format?: unknown };

/** The words with which each server refuses what it does not take. */
const refusals = {
  "llama.cpp": "Failed to initialize samplers: failed to parse grammar",
  vllm: "1 validation error: structured_outputs.structural_tag: structural tags are only supported by the backend xgrammar",
  sglang: "response_format: Input tag 'structural_tag' found does not match any of the expected tags",
};

/** A server that speaks as these do: what it was asked, and a way to ask it. */
async function server(preset: PresetName, takes: (body: Body) => boolean = () => true, options = {}) {
  const bodies: Body[] = [];
  const { baseURL } = await wireServer((response, { body }) => {
    bodies.push(body as Body);
    if (takes(body as Body)) return eventStream(response).end(answer);
    const message = refusals[preset as keyof typeof refusals];
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: 400, message, type: "invalid_request_error" } }));
  });
  const provider = openai({ preset, baseURL, model: "m", ...options });
  const ask = (request: Partial<ModelRequest> = { grammar }) =>
    collect(provider.stream({ system: "", messages: [{ role: "user", content: "Hi" }], ...request }));
  return { bodies, ask, provider };
}

const isBound = (body: Body) => body.grammar ?? body.structured_outputs ?? body.response_format;
const ignored = (events: readonly ModelEvent[]) => events.filter(({ type }) => type === "ignored");

describe("the language of an answer", () => {
  it("is a grammar of the whole answer for llama.cpp", async () => {
    const { bodies, ask, provider } = await server("llama.cpp");
    expect(ignored(await ask())).toEqual([]);
    expect(provider.capabilities.grammar).toBe(true);
    expect(bodies).toMatchObject([{ grammar: turnGrammar(grammar) }]);
    expect(bodies[0]).not.toHaveProperty("tools");
  });

  it("is the text of a structural tag for vLLM", async () => {
    const { bodies, ask } = await server("vllm");
    await ask();
    expect(bodies).toMatchObject([{ structured_outputs: { structural_tag: JSON.stringify(structuralTag(grammar)) } }]);
  });

  it("is a structural tag as the format of the answer for SGLang", async () => {
    const { bodies, ask } = await server("sglang");
    await ask();
    expect(bodies).toMatchObject([{ response_format: structuralTag(grammar) }]);
  });

  it.each(["ollama", "lmstudio", "openrouter", "deepseek"] as const)("is not sent to %s", async (preset) => {
    const { bodies, ask, provider } = await server(preset, undefined, { apiKey: "k" });
    expect(provider.capabilities.grammar).toBe(false);
    expect(ignored(await ask())).toHaveLength(1);
    expect(bodies.map(isBound)).toEqual([undefined]);
  });

  it("is sent to any server whose way is named, and to none with `none`", async () => {
    const named = await server("ollama", undefined, { grammar: "gbnf" });
    await named.ask();
    expect(named.bodies).toMatchObject([{ grammar: turnGrammar(grammar) }]);
    const free = await server("llama.cpp", undefined, { grammar: "none" });
    expect(free.provider.capabilities.grammar).toBe(false);
    await free.ask({});
    expect(free.bodies.map(isBound)).toEqual([undefined]);
  });

  it.each(["llama.cpp", "vllm", "sglang"] as const)(
    "is left out if %s refuses it, which is told in each answer and asked once for these tools",
    async (preset) => {
      const { bodies, ask } = await server(preset, (body) => isBound(body) === undefined);
      const message = "The server does not bind the answer to the grammar of the protocol: it was asked without.";
      for (const _ of [1, 2]) {
        const events = await ask();
        expect(ignored(events)).toEqual([{ type: "ignored", setting: "grammar", message }]);
        expect(events).toContainEqual({ type: "text", text: "Hello." });
      }
      expect(bodies.map((body) => isBound(body) !== undefined)).toEqual([true, false, false]);
      await ask({ grammar: { tools: [{ ...read }] } });
      expect(bodies.map((body) => isBound(body) !== undefined).slice(3)).toEqual([true, false]);
    },
  );

  it("gives way to a format, and to tools of the wire, which bind the answer already", async () => {
    const { bodies, ask } = await server("llama.cpp");
    await ask({ grammar, format: { type: "object" } });
    await ask({ grammar, tools: [read] });
    expect(bodies.map(({ grammar: sent }) => sent)).toEqual([undefined, undefined]);
  });

  it("gives way to what the caller has set there", async () => {
    const { bodies, ask } = await server("llama.cpp");
    await ask({ grammar, options: { grammar: 'root ::= "yes"' } });
    expect(bodies).toMatchObject([{ grammar: 'root ::= "yes"' }]);
  });

  it("binds no part of an answer without tools for vLLM, and nothing is told", async () => {
    const { bodies, ask } = await server("vllm");
    expect(ignored(await ask({ grammar: { tools: [] } }))).toEqual([]);
    expect(bodies.map(isBound)).toEqual([undefined]);
  });

  it("is not blamed for another refusal", async () => {
    const { bodies, ask } = await server("llama.cpp", () => false);
    await expect(ask()).rejects.toMatchObject({ code: "bad_request" });
    expect(bodies).toHaveLength(2);
  });
});
