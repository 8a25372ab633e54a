import { describe, it } from "vitest";
import { memoryStore } from "../memory/memory-store.ts";
import { storeConformance, withoutLive, withoutProcesses, withoutReopen } from "../testkit/index.ts";
import { redactingStore } from "./redacting-store.ts";

describe("redactingStore", () => {
  const make = async () => ({ store: redactingStore(memoryStore()) });
  const declared = { ...withoutReopen, ...withoutProcesses, ...withoutLive };
  for (const { name, run } of storeConformance("redacting", make, declared)) it(name, run);
});
