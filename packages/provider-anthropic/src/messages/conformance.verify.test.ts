import { runProviderConformance } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { anthropic } from "../../test/support/conformance.ts";

it("anthropic keeps the contract of a provider in every case that applies to its wire", async () => {
  const report = await runProviderConformance("anthropic", () => anthropic);
  console.log(report.table);
  const others = report.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [name]));
  expect(others).toEqual(Object.keys(anthropic.declare ?? {}));
});
