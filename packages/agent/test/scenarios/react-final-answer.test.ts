import type { ScriptedResponse } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { collect } from "../support/fixtures.ts";
import { act, agentOf, answer, contents, texts, usage } from "../support/react.ts";

describe("ReAct: the last request writes the answer", () => {
  const steps = (): ScriptedResponse[] => [
    { chunks: answer("draft"), usage: usage(10, 5) },
    { chunks: ["Poli", "shed"], usage: usage(90, 11) },
  ];

  it("with a model and instructions of its own, and the usage of both", async () => {
    const { go, provider, told, log } = agentOf(
      steps(),
      { finalViaInference: { model: "big", options: {} } },
      {
        request: { model: "small", options: { seed: 7 } },
      },
    );
    expect(await go().result).toMatchObject({
      status: "completed",
      text: "Polished",
      steps: 1,
      usage: { input: 100, output: 16 },
    });
    const [first, second] = provider.requests;
    expect([first?.model, second?.model]).toEqual(["small", "big"]);
    // Options without a field count as none.
    expect(second?.options).toEqual({ seed: 7 });
    expect(second?.system).toContain("You are terse.");
    expect(second?.system).toContain("Write only the final answer");
    expect(second?.system).not.toContain("calc");
    expect(second).not.toHaveProperty("tools");
    expect(second).not.toHaveProperty("format");
    expect(texts(second?.messages).slice(0, 2)).toEqual(["user: go", "assistant: draft"]);
    expect(second?.messages.at(-1)?.role).toBe("user");
    expect(told("request_ended")).toMatchObject([{ usage: { output: 5 } }, { usage: { output: 11 } }]);
    expect(contents(await log(), "respond")).toEqual(["Polished"]);
  });

  it("with the model and options of the run where none are given, or with options of its own", async () => {
    const request = { options: { seed: 7 } };
    const plain = agentOf(steps(), { finalViaInference: true }, { request });
    expect(await plain.go().result).toMatchObject({ text: "Polished" });
    expect(plain.provider.requests[1]).toMatchObject({ options: { seed: 7 } });
    expect(plain.provider.requests[1]).not.toHaveProperty("model");
    const own = agentOf(steps(), { finalViaInference: { options: { top_p: 1 } } }, { request });
    await own.go().result;
    expect(own.provider.requests[1]?.options).toEqual({ top_p: 1 });
  });

  it("after attempts that failed, which it does not read", async () => {
    const { go, provider } = agentOf(["oops", ...steps()], { finalViaInference: true });
    expect(await go().result).toMatchObject({ text: "Polished", steps: 1 });
    expect(texts(provider.requests[2]?.messages).join()).not.toContain("oops");
  });

  it("shows nothing of the draft, unless the last request writes nothing", async () => {
    const shown = agentOf(steps(), { finalViaInference: true });
    const events = await collect(shown.go({ stream: "token" }));
    expect(events.flatMap((event) => (event.type === "respond" ? [event.content] : [])).join("")).toBe("Polished");
    const silent = agentOf([answer("draft"), " "], { finalViaInference: true });
    expect(await silent.go().result).toMatchObject({ status: "completed", text: "draft" });
  });

  it("is not made for a call", async () => {
    const { go, provider } = agentOf([act("echo", { text: "a" }), ...steps()], { finalViaInference: true });
    expect(await go().result).toMatchObject({ text: "Polished", steps: 2 });
    provider.assertDone();
  });
});
