import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../../src/index.ts";
import { reactDriver } from "../../src/react.ts";
import { answer, usage } from "../support/react.ts";

describe("the last step that the budget has", () => {
  it.each<[string, Pick<AgentOptions, "budget">]>([
    ["run", { budget: { steps: 1 } }],
    ["conversation", { budget: { conversation: { steps: 1 } } }],
  ])("of the %s may make a second request, for a model that did not write a decision", async (_, options) => {
    const provider = scripted(["It is 5.", answer("It is 5.")]);
    const agent = createAgent({ provider, driver: reactDriver(), ...options });
    expect(await agent.ask("2 + 3?")).toMatchObject({ status: "completed", text: "It is 5.", steps: 1 });
    expect(provider.requests).toHaveLength(2);
  });

  it("may make a request that a hook has changed", async () => {
    const provider = scripted(["It is 5.<end>"]);
    const cool = { name: "cool", beforeRequest: () => ({ request: { temperature: 0 } }) };
    const agent = createAgent({ provider, hooks: [cool], budget: { steps: 1 } });
    expect(await agent.ask("2 + 3?")).toMatchObject({ status: "completed", steps: 1 });
    expect(provider.requests).toMatchObject([{ temperature: 0 }]);
  });

  it("makes no second request that does not fit into the tokens that are left", async () => {
    const provider = scripted([{ chunks: "It is 5.", usage: usage(1500, 100) }, answer("It is 5.")]);
    const budget = { steps: 1, tokens: 1700 };
    const agent = createAgent({ provider, driver: reactDriver(), budget, request: { maxOutputTokens: 100 } });
    expect(await agent.ask("2 + 3?")).toMatchObject({ status: "stopped", stop: { reason: "token_limit" } });
    expect(provider.requests).toHaveLength(1);
  });
});
