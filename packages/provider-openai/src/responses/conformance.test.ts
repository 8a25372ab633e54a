import { runProviderConformance } from "@cogency/provider/testkit";
import { problemOf } from "@tooling/wires/strict";
import { expect, it } from "vitest";
import { responsesProvider, responsesWire } from "../../test/support/responses-wire.ts";

const declare = { "the request carries stop sequences": "the Responses API knows none" };

it("speaks the Responses wire as every provider must", async () => {
  const report = await runProviderConformance("openai-responses", () => ({
    wire: { ...responsesWire, problem: problemOf("openai-responses") },
    provider: responsesProvider,
    declare,
  }));
  console.log(report.table);
  expect(report.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [name]))).toEqual(Object.keys(declare));
});
