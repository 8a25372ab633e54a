import { providerConformance } from "@cogency/provider/testkit";
import { lightCases } from "@tooling/wires";
import { describe, it } from "vitest";
import { responses } from "../../test/support/conformance.ts";

describe("speaks the Responses wire as every provider must:", () => {
  for (const { name, run } of lightCases(providerConformance("openai-responses", () => responses))) it(name, run);
});
