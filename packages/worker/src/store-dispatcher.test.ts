import { memoryStore } from "@cogency/storage";
import { describe, it } from "vitest";
import { storeDispatcher } from "./store-dispatcher.ts";
import { dispatcherConformance, withoutProcesses, withoutRestart } from "./testkit/index.ts";

describe("storeDispatcher", () => {
  const make = async () => {
    const store = memoryStore();
    return { open: async () => ({ store, dispatcher: storeDispatcher(store), close: async () => {} }) };
  };
  // `pnpm soak` runs those that take processes and restarts, on PostgreSQL.
  const cases = dispatcherConformance("store", make, { ...withoutProcesses, ...withoutRestart });
  for (const { name, run } of cases) it.concurrent(name, run);
});
