import { test } from "node:test";
import { scripted } from "../../src/index.ts";
import { providerConformance, withoutReply, withoutWire } from "../../src/testkit/index.ts";

const cases = providerConformance("scripted", () => ({
  provider: () => scripted([["One, ", "two, ", "three."]], { name: process.env.PROVIDER_NAME ?? "scripted" }),
  declare: { ...withoutReply, ...withoutWire },
}));
for (const { name, run } of cases) test(name, run);
