import { describe, it } from "vitest";
import { storeConformance, withoutProcesses, withoutReopen } from "../testkit/index.ts";
import { memoryStore } from "./memory-store.ts";

describe("memoryStore", () => {
  const declared = { ...withoutReopen, ...withoutProcesses };
  for (const { name, run } of storeConformance("memory", async () => ({ store: memoryStore() }), declared)) {
    it(name, run);
  }
});
