import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { conversation, echo } from "../support/fixtures.ts";
import { capabilities, said, stop } from "../support/native.ts";

describe("a request", () => {
  const format = { type: "object", properties: { answer: { type: "string" } } } as const;

  it("holds the system prompt, the conversation, the tools, the format and the model that the agent was given", async () => {
    const provider = scripted([{ events: [said("One."), stop] }, { events: [said("Two."), stop] }], { capabilities });
    const agent = createAgent({
      provider,
      tools: [echo],
      store: memoryStore(),
      driver: nativeDriver(),
      instructions: "You are terse.",
      request: { model: "state-model", format },
    });
    await agent.ask("first", { conversation });
    await agent.ask("second", { conversation });
    expect(provider.requests[1]).toMatchObject({
      system: "You are terse.",
      messages: [
        { role: "user", content: "first" },
        { role: "assistant", content: "One." },
        { role: "user", content: "second" },
      ],
      format,
      model: "state-model",
    });
    expect(provider.requests[1]?.tools?.map(({ name }) => name)).toEqual(["echo"]);
  });

  it("names no model where the agent names none: the provider's holds", async () => {
    const provider = scripted([{ events: [said("One."), stop] }], { capabilities });
    await createAgent({ provider, driver: nativeDriver() }).ask("first");
    expect(provider.requests[0]?.model).toBeUndefined();
  });
});
