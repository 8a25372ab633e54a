import { scripted } from "@cogency/provider";
import { openai } from "@cogency/provider-openai";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../../src/index.ts";
import { type NativeDriverOptions, nativeDriver } from "../../src/native.ts";
import { conversation, echo, types } from "../support/fixtures.ts";
import { agentOf, call, called, capabilities, said, stop, twoSteps } from "../support/native.ts";

describe("which tools the model may call", () => {
  it.each<[string, NativeDriverOptions["toolChoice"], unknown[]]>([
    ["auto", "auto", [undefined, undefined]],
    ["required, until the first step is over", "required", ["required", undefined]],
    ["one tool, until the first step is over", { name: "echo" }, [{ name: "echo" }, undefined]],
    [
      "what a function says",
      ({ step }) => (step === 1 ? { name: "echo" } : "required"),
      [{ name: "echo" }, "required"],
    ],
  ])("chooses %s", async (_, toolChoice, choices) => {
    const { provider, go } = agentOf(twoSteps, { toolChoice });
    await go().result;
    expect(provider.requests.map((request) => request.toolChoice)).toEqual(choices);
  });

  it("says to the provider that none may be called", async () => {
    const { provider, go } = agentOf(["Fine."], { toolChoice: "none" });
    expect(await go().result).toMatchObject({ text: "Fine." });
    expect(provider.requests[0]).toMatchObject({ toolChoice: "none", tools: [{ name: "echo" }, { name: "broken" }] });
  });

  it("sends neither tools nor a choice where the agent has none", async () => {
    const provider = scripted(["Fine."], { capabilities });
    await createAgent({ provider, driver: nativeDriver({ toolChoice: "required" }) }).ask("go");
    expect(provider.requests[0]).not.toHaveProperty("tools");
    expect(provider.requests[0]).not.toHaveProperty("toolChoice");
  });

  it("runs no call where none may be called, and says so to the model", async () => {
    const steps = [{ events: [...call("echo", { text: "a" }), called] }, { events: [said("Fine."), stop] }];
    const { provider, store, go } = agentOf(steps, { toolChoice: "none" });
    expect(await go().result).toMatchObject({ status: "completed", text: "Fine." });
    expect(types(await store.load({ conversation }))).not.toContain("call");
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("No tool may be called now");
  });

  it("begins every turn with the choice, also after earlier turns", async () => {
    const { provider, go, run } = agentOf([...twoSteps, ...twoSteps], { toolChoice: "required" });
    await go().result;
    await run("again", { conversation }).result;
    expect(provider.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      "required",
      undefined,
      "required",
      undefined,
    ]);
  });

  it("refuses a choice that is none, or names a tool that the model does not have", async () => {
    expect(() => nativeDriver({ toolChoice: "any" as never })).toThrow(/toolChoice is "any"/);
    const { go } = agentOf([], { toolChoice: { name: "shell" } });
    const { status, error } = await go().result;
    expect([status, error?.code]).toEqual(["failed", "driver"]);
    expect(error?.message).toContain('names "shell"; the model has echo, broken');
  });

  describe("in the provider's own words", () => {
    /** The body of the first request of an agent, on the wire of Chat Completions. */
    async function bodyOf(toolChoice: NativeDriverOptions["toolChoice"], more: Partial<AgentOptions> = {}) {
      const bodies: unknown[] = [];
      const fetch: typeof globalThis.fetch = async (_, init) => {
        bodies.push(JSON.parse(String(init?.body)));
        const answer = { choices: [{ index: 0, delta: { content: "Fine." }, finish_reason: "stop" }] };
        return new Response(`data: ${JSON.stringify(answer)}\n\n`, {
          headers: { "content-type": "text/event-stream" },
        });
      };
      const provider = openai({ api: "chat", apiKey: "key-of-the-test", fetch, baseURL: "https://api.openai.com/v1" });
      const agent = createAgent({ provider, tools: [echo], driver: nativeDriver({ toolChoice }), ...more });
      expect(await agent.ask("go")).toMatchObject({ text: "Fine." });
      return bodies[0];
    }

    it.each<[string, NativeDriverOptions["toolChoice"], unknown]>([
      ["auto", "auto", undefined],
      ["required", "required", "required"],
      ["none", "none", "none"],
      ["one tool", { name: "echo" }, { type: "function", function: { name: "echo" } }],
    ])("is %s", async (_, toolChoice, sent) => {
      const body = await bodyOf(toolChoice);
      expect(body).toMatchObject({ tools: [{ function: { name: "echo" } }] });
      expect((body as { tool_choice?: unknown }).tool_choice).toEqual(sent);
    });

    it("is nothing without tools", async () => {
      const body = await bodyOf("required", { tools: [] });
      for (const field of ["tools", "tool_choice", "parallel_tool_calls"]) expect(body).not.toHaveProperty(field);
    });

    it("leaves it to the host whether calls may run side by side", async () => {
      expect(await bodyOf("auto")).not.toHaveProperty("parallel_tool_calls");
      const request = { options: { parallel_tool_calls: false } };
      expect(await bodyOf("auto", { request })).toMatchObject({ parallel_tool_calls: false });
    });
  });
});
