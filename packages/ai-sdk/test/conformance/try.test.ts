import { providerConformance } from "@cogency/provider/testkit";
import { lightCases } from "@tooling/wires";
import { describe, it } from "vitest";
import { anthropic, google, openAICompatible } from "../support/harnesses.ts";

for (const [name, harness] of Object.entries({ openAICompatible, anthropic, google })) {
  describe(name, () => {
    for (const { name: one, run } of lightCases(providerConformance(name, () => harness))) it(one, run);
  });
}
