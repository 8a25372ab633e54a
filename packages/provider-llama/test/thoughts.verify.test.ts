import type { JsonSchema } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { afterAll, expect, it } from "vitest";
import { llama } from "../src/llama.ts";
import { describeLlama } from "./support/describe-llama.ts";
import { modelPath } from "./support/model-path.ts";

/** As models that think have it: an earlier answer is given back without its thought, and the prompt begins the next one. */
const template = `{{ bos_token }}{% for message in messages %}{% if message.role == 'assistant' %}{{ '[assistant]' + message.content.split('</think>')[-1] + eos_token }}{% else %}{{ '[' + message.role + ']' + message.content }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '[assistant]<think>\n' }}{% endif %}`;

interface Read {
  readonly thought: string;
  readonly text: string;
  readonly reasoning: number;
  readonly output: number;
}

describeLlama("a model whose chat template has thoughts", () => {
  const favours = { "</s>": 9, "<think>": 11, "</think>": 9, a: 11, b: 11 };
  const model = modelPath({ template, tokens: ["<think>", "</think>"], favours });
  const provider = llama({ model, threads: 1, gpu: false, contextSize: 4096, temperature: 1 });
  afterAll(() => provider.close());

  async function answers(request: Partial<ModelRequest> = {}): Promise<Read[]> {
    const all: Read[] = [];
    for (let seed = 1; seed <= 30; seed++) {
      const events: ModelEvent[] = [];
      const messages = [{ role: "user", content: "Hi" }] as const;
      const whole = { system: "Be brief.", messages, options: { seed }, maxOutputTokens: 60, ...request };
      for await (const event of provider.stream(whole)) events.push(event);
      const joined = (type: "text" | "reasoning") =>
        events.map((event) => (event.type === type && "text" in event ? event.text : "")).join("");
      const usage = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []))[0];
      const { reasoning = 0, output = 0 } = usage ?? {};
      all.push({ thought: joined("reasoning"), text: joined("text"), reasoning, output });
    }
    return all;
  }

  it("gives the thought at the beginning of an answer as reasoning, without its tags, and counts its tokens", async () => {
    const all = await answers();
    expect(all.filter(({ thought, text }) => thought !== "" && text !== "").length).toBeGreaterThan(2);
    for (const { thought, text, reasoning, output } of all) {
      expect.soft(thought).not.toContain("</think>");
      expect.soft(text.startsWith("<think>"), JSON.stringify(text)).toBe(false);
      expect.soft(reasoning).toBeGreaterThanOrEqual(thought.replaceAll("<think>", "t").length);
      expect.soft(reasoning).toBeLessThanOrEqual(output);
    }
  });

  it("leaves the tags in an answer that is bound by the grammar of the protocol, whose thoughts they are", async () => {
    const all = await answers({ grammar: { tools: [] } });
    expect(all.some(({ text }) => text.startsWith("<think>"))).toBe(true);
    for (const { thought } of all) expect.soft(thought).toBe("");
  });

  it("gives an answer that is bound by a format as its JSON alone", async () => {
    const format: JsonSchema = { type: "object", properties: { a: { enum: ["x"] } }, required: ["a"] };
    for (const { text } of await answers({ format })) expect.soft(JSON.parse(text)).toEqual({ a: "x" });
  });
});
