import { test } from "node:test";
import { storeConformance, withoutProcesses, withoutReopen } from "@cogency/storage/testkit";
import { parrotStore } from "./parrot.js";

const cases = storeConformance("parrot", async () => ({ store: await parrotStore() }), {
  ...withoutReopen,
  ...withoutProcesses,
});
for (const { name, run, timeout } of cases) test(name, { timeout }, run);
