import { describe, it } from "vitest";
import { memoryStore } from "./memory-store.ts";
import { storeConformance } from "./testkit/index.ts";

describe("memoryStore", () => {
  for (const { name, run } of storeConformance(async () => ({ store: memoryStore() }))) it(name, run);
});
