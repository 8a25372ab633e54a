import { type ModelReply, providerConformance, withoutWire } from "@cogency/provider/testkit";
import { describe, expect, it } from "vitest";
import { aiSdk, type LanguageModel } from "../src/index.ts";
import { MockLanguageModelV2, v3, v4 } from "./support/models.ts";
import { oldPartsOfReply, partsOfReply } from "./support/parts-of-reply.ts";

const usual: ModelReply = {
  parts: ["One, ", "two, ", "three."].map((text) => ({ type: "text", text })),
  usage: { input: 11, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  finish: "stop",
};

describe.each<[string, (reply: ModelReply) => LanguageModel]>([
  ["v4", (reply) => v4(partsOfReply(reply))],
  ["v3", (reply) => v3(partsOfReply(reply))],
  ["v2", (reply) => new MockLanguageModelV2(oldPartsOfReply(reply))],
])("a model of specification %s keeps the contract of a provider:", (version, modelOf) => {
  const cases = providerConformance(`mock ${version}`, () => ({
    provider: (reply: ModelReply = usual) => aiSdk({ model: modelOf(reply) }),
    declare: withoutWire,
  }));
  for (const { name, run } of cases) it(name, run);

  it("is asked for nothing before the provider is", () => {
    expect(aiSdk({ model: modelOf(usual) })).toMatchObject({ name: "ai-sdk:mock-provider", model: "mock-model-id" });
  });
});
