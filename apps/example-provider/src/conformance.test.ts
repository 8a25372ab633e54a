import { runProviderConformance, withoutReply, withoutWire } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { echo } from "./echo.ts";

it("the echo keeps the contract of a provider", async () => {
  const { table } = await runProviderConformance("example", () => ({
    provider: () => echo(),
    declare: { ...withoutReply, ...withoutWire },
  }));
  console.log(table);
  expect(table).toMatch(/^example: \d+ passed, \d+ declared$/m);
});
