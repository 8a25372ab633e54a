import type { ModelRequest } from "@cogency/provider";
import { eventStream } from "@tooling/loopback";
import { collect } from "@tooling/wires/collect";
import { wire } from "@tooling/wires/messages";
import { describe, expect, it } from "vitest";
import { wireServer } from "../../test/support/wire-server.ts";
import { anthropic } from "../anthropic.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const answer = wire.answer({ parts: [{ type: "text", text: "Hello." }], usage, finish: "stop" }).join("");

/** A server that refuses bodies for this reason, and the settings that it was sent, byte for byte. */
async function server(refuses: (body: string) => string | undefined = () => undefined) {
  const sent: string[] = [];
  const { baseURL } = await wireServer((response, { text }) => {
    const settings = text.match(/"max_tokens":\d+|"thinking":\{[^}]*\}|"output_config":\{[^}]*\}/g) ?? [];
    sent.push(settings.join(","));
    const message = refuses(text);
    if (message === undefined) return eventStream(response).end(answer);
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
  });
  const model = anthropic({ baseURL, apiKey: "k", model: "m" });
  const ask = (request: Partial<ModelRequest>) =>
    collect(model.stream({ system: "", messages: [{ role: "user", content: "Hi" }], ...request }));
  return { sent, ask };
}

describe("how much a model thinks", () => {
  it("is an effort with which it decides for itself, and nothing where no level is wanted", async () => {
    const { sent, ask } = await server();
    for (const thinking of ["off", "low", "max"] as const) await ask({ thinking });
    await ask({});
    expect(sent).toEqual([
      '"max_tokens":32000,"thinking":{"type":"disabled"}',
      '"max_tokens":32000,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}',
      '"max_tokens":32000,"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}',
      '"max_tokens":32000',
    ]);
  });

  it("is a budget for a model that refuses efforts, below the limit of the answer", async () => {
    const { sent, ask } = await server((body) =>
      body.includes("adaptive") ? "adaptive thinking is not supported on this model" : undefined,
    );
    const events = await ask({ thinking: "high" });
    expect(events.some(({ type }) => type === "ignored")).toBe(false);
    await ask({ thinking: "high", maxOutputTokens: 5000 });
    expect(sent[1]).toBe('"max_tokens":52000,"thinking":{"type":"enabled","budget_tokens":20000}');
    expect(sent.at(-1)).toBe('"max_tokens":5000,"thinking":{"type":"enabled","budget_tokens":4999}');
  });

  it("is left out where the limit of the answer has no room for the least budget", async () => {
    const { sent, ask } = await server((body) => (body.includes("adaptive") ? "no effort parameter" : undefined));
    const events = await ask({ thinking: "low", maxOutputTokens: 1000 });
    expect(events[0]).toMatchObject({ type: "ignored", setting: "thinking" });
    expect(sent.at(-1)).toBe('"max_tokens":1000');
  });

  it("off sends no thinking back that the conversation holds", async () => {
    const bodies: string[] = [];
    const { ask } = await server((body) => void bodies.push(body));
    const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
    const native = { provider: "anthropic", model: "m", data: [thought, { type: "text", text: "Well." }] };
    const messages: ModelRequest["messages"] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Well.", native },
      { role: "user", content: "And?" },
    ];
    await ask({ messages, thinking: "off" });
    await ask({ messages, thinking: "low" });
    expect(bodies.map((body) => body.includes("c2ln"))).toEqual([false, true]);
  });
});
