import { runProviderConformance, withoutReply, withoutWire } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { offline } from "./offline.ts";

it("the offline model keeps the contract of a provider", async () => {
  const { table } = await runProviderConformance("offline", () => ({
    provider: () => offline(),
    declare: { ...withoutReply, ...withoutWire },
  }));
  console.log(table);
  expect(table).toMatch(/^offline: \d+ passed, \d+ declared$/m);
});
