import { runProviderConformance } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { responses } from "../../test/support/conformance.ts";

it("speaks the Responses wire as every provider must", async () => {
  const report = await runProviderConformance("openai-responses", () => responses);
  console.log(report.table);
  const others = report.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [name]));
  expect(others).toEqual(Object.keys(responses.declare ?? {}));
});
