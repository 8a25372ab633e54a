import { test } from "node:test";
import { memoryStore } from "../../src/index.ts";
import { storeConformance, withoutProcesses, withoutReopen } from "../../src/testkit/index.ts";

const cases = storeConformance("memory", async () => ({ store: memoryStore() }), {
  ...withoutReopen,
  ...withoutProcesses,
});
for (const { name, run, timeout } of cases) test(name, { timeout }, run);
