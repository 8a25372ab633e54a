import { providerConformance } from "@cogency/provider/testkit";
import { lightCases } from "@tooling/wires";
import { describe, it } from "vitest";
import { chat } from "../../test/support/conformance.ts";

describe("speaks Chat Completions as every provider must:", () => {
  for (const { name, run } of lightCases(providerConformance("openai-chat", () => chat))) it(name, run);
});
