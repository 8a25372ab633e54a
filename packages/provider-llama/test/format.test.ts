import type { JsonSchema } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { jsonSchemaCheck } from "@cogency/tools/host";
import { afterAll, expect, it } from "vitest";
import { llama } from "../src/llama.ts";
import { describeLlama } from "./support/describe-llama.ts";
import { modelPath } from "./support/model-path.ts";

/** Tends to close what is open, so that its answers end. */
const favours = { '"': 11, "}": 10, "]": 10, "</s>": 6 };
const schema: JsonSchema = {
  type: "object",
  properties: {
    kind: { enum: ["circle", "square"] },
    size: { type: "integer", minimum: 1, maximum: 99 },
    day: { type: "string", format: "date" },
    tags: { type: "array", items: { type: "string", pattern: "^[a-z]{2,4}$" }, maxItems: 3 },
  },
  required: ["kind", "size", "day"],
  additionalProperties: false,
};

describeLlama("the format of an answer", () => {
  const sampling = { temperature: 1, topK: 259, topP: 1, minP: 0 };
  const provider = llama({ model: modelPath({ favours }), threads: 1, gpu: false, contextSize: 4096, ...sampling });
  afterAll(() => provider.close());

  async function answer(format: JsonSchema, seed: number): Promise<ModelEvent[]> {
    const messages = [{ role: "user", content: "Draw." }] as const;
    const events: ModelEvent[] = [];
    const request = { system: "", messages, format, options: { seed }, maxOutputTokens: 1000 };
    for await (const event of provider.stream(request)) events.push(event);
    return events;
  }

  const textOf = (events: readonly ModelEvent[]) =>
    events.map((event) => (event.type === "text" ? event.text : "")).join("");

  it.each([1, 2, 3, 4])("binds a model with random weights (seed %i)", async (seed) => {
    const events = await answer(schema, seed);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop" });
    expect(jsonSchemaCheck(schema)(JSON.parse(textOf(events)))).toBeUndefined();
  });

  it("is refused if no value fits it", async () => {
    await expect(answer({ type: "array", minItems: 2, maxItems: 1 }, 1)).rejects.toMatchObject({
      name: "ProviderError",
      code: "bad_request",
      message: expect.stringContaining("No value fits"),
    });
  });
});
