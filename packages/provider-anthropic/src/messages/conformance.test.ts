import { providerConformance } from "@cogency/provider/testkit";
import { lightCases } from "@tooling/wires";
import { describe, it } from "vitest";
import { anthropic } from "../../test/support/conformance.ts";

describe("anthropic keeps the contract of a provider:", () => {
  for (const { name, run } of lightCases(providerConformance("anthropic", () => anthropic))) it(name, run);
});
