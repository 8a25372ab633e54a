import { runProviderConformance } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { google } from "../../test/support/conformance.ts";

it("google keeps the contract of a provider in every case that applies to its wire", async () => {
  const report = await runProviderConformance("google", () => google);
  console.log(report.table);
  const others = report.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [name]));
  expect(others).toEqual(Object.keys(google.declare ?? {}));
});
