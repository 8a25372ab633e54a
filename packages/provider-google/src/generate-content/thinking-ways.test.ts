import type { ThinkingLevel } from "@cogency/provider";
import { eventStream, wireServer } from "@tooling/loopback";
import { collect } from "@tooling/wires/collect";
import { chunk, frame } from "@tooling/wires/gemini";
import { describe, expect, it } from "vitest";
import { google } from "../google.ts";
import type { GoogleThinking } from "../options.ts";

const answer = [frame(chunk([{ text: "Hello." }])), frame(chunk([], "STOP"))].join("");

/** A server that refuses configurations of thinking with this word in them, and those that it was sent, byte for byte. */
async function server(model: string, refused: RegExp | undefined = undefined, thinking?: GoogleThinking) {
  const sent: string[] = [];
  const { baseURL } = await wireServer((response, { text }) => {
    const config = /"thinkingConfig":(\{[^}]*\})/.exec(text)?.[1] ?? "";
    sent.push(config);
    if (!refused?.test(config)) return eventStream(response).end(answer);
    response.writeHead(400, { "content-type": "application/json" });
    const message = "Thinking level is not supported for this model.";
    response.end(JSON.stringify({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }));
  });
  const provider = google({ baseURL, apiKey: "k", model, thinking });
  const ask = (level: ThinkingLevel) =>
    collect(provider.stream({ system: "", messages: [{ role: "user", content: "Hi" }], thinking: level }));
  return { sent, ask };
}

describe("how much a model thinks", () => {
  it.each<[model: string, sent: readonly string[]]>([
    [
      "gemini-3.8-flash",
      [
        '{"thinkingBudget":0}',
        '{"thinkingLevel":"low"}',
        '{"thinkingLevel":"medium"}',
        '{"thinkingLevel":"high"}',
        '{"thinkingLevel":"high"}',
      ],
    ],
    [
      "gemini-2.5-flash",
      [
        '{"thinkingBudget":0}',
        '{"thinkingBudget":2048}',
        '{"thinkingBudget":8192}',
        '{"thinkingBudget":16384}',
        '{"thinkingBudget":24576}',
      ],
    ],
  ])("is what %s takes", async (model, expected) => {
    const { sent, ask } = await server(model);
    for (const level of ["off", "low", "medium", "high", "max"] as const) await ask(level);
    expect(sent).toEqual(expected);
  });

  it("is the least level where a model cannot go without thinking, which is told", async () => {
    const { sent, ask } = await server("gemini-3.8-pro", /Budget|minimal/);
    expect((await ask("off"))[0]).toEqual({
      type: "ignored",
      setting: "thinking",
      message: 'The model takes no thinking "off": it was asked for "low".',
    });
    expect(sent).toEqual(['{"thinkingBudget":0}', '{"thinkingLevel":"minimal"}', '{"thinkingLevel":"low"}']);
  });

  it("leaves the summaries of thoughts that the provider was made with, and replaces its level", async () => {
    const { sent, ask } = await server("gemini-3.8-flash", undefined, { includeThoughts: true, thinkingLevel: "low" });
    await ask("high");
    expect(sent).toEqual(['{"includeThoughts":true,"thinkingLevel":"high"}']);
  });

  it("is left out where a model knows neither", async () => {
    const { sent, ask } = await server("gemma-3", /./);
    expect((await ask("high"))[0]).toMatchObject({ type: "ignored" });
    expect(sent).toEqual(['{"thinkingLevel":"high"}', '{"thinkingBudget":16384}', ""]);
  });
});
