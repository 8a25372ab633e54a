import { runProviderConformance } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { responsesProvider, responsesWire } from "../../test/responses-wire.ts";

it("speaks the Responses wire as every provider must", async () => {
  const report = await runProviderConformance("openai-responses", () => ({
    wire: responsesWire,
    provider: responsesProvider,
  }));
  console.log(report.table);
  expect(report.cases.every(({ status }) => status === "passed")).toBe(true);
}, 300_000);
