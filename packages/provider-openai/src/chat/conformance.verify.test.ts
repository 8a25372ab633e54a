import { runProviderConformance } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { chat } from "../../test/support/conformance.ts";

it("speaks Chat Completions as every provider must", async () => {
  const report = await runProviderConformance("openai-chat", () => chat);
  console.log(report.table);
  const others = report.cases.flatMap(({ name, status }) => (status === "passed" ? [] : [name]));
  expect(others).toEqual(Object.keys(chat.declare ?? {}));
});
