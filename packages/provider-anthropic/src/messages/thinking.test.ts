import type { AssistantMessage, ModelMessage } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { toMessagesRequest } from "./request.ts";

const model = "claude-sonnet-5-5";
const budget = { type: "enabled", budget_tokens: 2048 } as const;
const question: ModelMessage = { role: "user", content: "Weather?" };
const calls = [{ id: "call_1", name: "weather", args: {} }];
const results: ModelMessage = {
  role: "tool",
  results: [{ id: "call_1", name: "weather", content: "Rain.", failed: false }],
};
const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const use = { type: "tool_use", id: "toolu_1", name: "weather", input: {} };
const foreign: AssistantMessage = { role: "assistant", content: "I look.", calls };
const own: AssistantMessage = {
  ...foreign,
  content: "",
  native: { provider: "anthropic", model, data: [thought, use] },
};

function bodyOf(messages: ModelMessage[], thinking: Parameters<typeof toMessagesRequest>[1]["thinking"]) {
  return toMessagesRequest({ system: "", messages }, { model, takesTemperature: false, thinking });
}

describe("a request with a budget for thinking", () => {
  it("goes without thinking while it brings results to calls that another model has made", () => {
    const { thinking, max_tokens } = bodyOf([question, foreign, results], budget);
    expect(thinking).toEqual({ type: "disabled" });
    expect(max_tokens).toBe(34_048);
  });

  it("thinks in a turn of calls that began with thinking", () => {
    const { thinking, messages } = bodyOf([question, own, results], budget);
    expect(thinking).toEqual(budget);
    expect(messages[1]?.content).toEqual([thought, { ...use, id: "call_1" }]);
  });

  it("goes without a message that was thinking alone", () => {
    const broken: AssistantMessage = {
      role: "assistant",
      content: "",
      native: { provider: "anthropic", model, data: [thought] },
    };
    const { messages } = bodyOf([question, broken, question, foreign, results], budget);
    expect(messages.filter(({ content }) => content.length === 0)).toEqual([]);
    expect(messages.map(({ role }) => role)).toContain("assistant");
  });

  it("thinks again in the next turn", () => {
    expect(
      bodyOf([question, foreign, results, { role: "assistant", content: "Rain." }, question], budget).thinking,
    ).toEqual(budget);
  });

  it("goes without thinking where words stand before the thinking of the message that called", () => {
    const { thinking, messages } = bodyOf([question, { role: "assistant", content: "Well." }, own, results], budget);
    expect(thinking).toEqual({ type: "disabled" });
    expect(messages[1]?.content).toEqual([
      { type: "text", text: "Well." },
      { ...use, id: "call_1" },
    ]);
  });

  it("leaves it to a model that decides itself whether it thinks", () => {
    for (const chosen of [{ type: "adaptive" } as const, undefined]) {
      expect(bodyOf([question, foreign, results], chosen).thinking).toEqual(chosen);
      expect(bodyOf([question, own, results], chosen).messages[1]?.content).toContainEqual(thought);
    }
  });
});

describe("a request without thinking", () => {
  it("sends no thinking back", () => {
    const { messages } = bodyOf([question, own, results, own, results], { type: "disabled" });
    expect(JSON.stringify(messages)).not.toContain("c2ln");
    expect(messages).toHaveLength(5);
  });
});
