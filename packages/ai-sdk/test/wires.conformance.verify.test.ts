import { runProviderConformance } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { harnesses } from "./support/harnesses.ts";

it.each(Object.entries(harnesses))("%s keeps the contract of a provider in every case", async (name, harness) => {
  const report = await runProviderConformance(name, () => harness);
  console.log(report.table);
  const others = report.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [name]));
  expect(new Set(others)).toEqual(new Set(Object.keys(harness.declare ?? {})));
});
