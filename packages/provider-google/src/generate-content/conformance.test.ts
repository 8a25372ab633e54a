import { providerConformance } from "@cogency/provider/testkit";
import { lightCases } from "@tooling/wires";
import { describe, it } from "vitest";
import { google } from "../../test/support/conformance.ts";

describe("google keeps the contract of a provider:", () => {
  for (const { name, run } of lightCases(providerConformance("google", () => google))) it(name, run);
});
