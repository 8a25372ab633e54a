import { providerConformance } from "@cogency/provider/testkit";
import { lightCases } from "@tooling/wires";
import { describe, it } from "vitest";
import { harnesses } from "./support/harnesses.ts";

describe.each(Object.entries(harnesses))("%s keeps the contract of a provider:", (name, harness) => {
  for (const { name: one, run } of lightCases(providerConformance(name, () => harness))) it(one, run);
});
