import { test } from "node:test";
import { memoryStore } from "../../src/index.ts";
import { storeConformance } from "../../src/testkit/index.ts";
import { fewCases } from "./few-cases.ts";

const cases = storeConformance("memory", async () => ({ store: memoryStore() }), fewCases);
for (const { name, run, timeout } of cases) test(name, { timeout }, run);
