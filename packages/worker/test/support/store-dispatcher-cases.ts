import { memoryStore } from "@cogency/storage";
import { storeDispatcher } from "../../src/store-dispatcher.ts";
import { dispatcherConformance, withoutProcesses, withoutRestart } from "../../src/testkit/index.ts";

const make = async () => {
  const store = memoryStore();
  return { open: async () => ({ store, dispatcher: storeDispatcher(store), close: async () => {} }) };
};
// `pnpm soak` runs those that take processes and restarts, on PostgreSQL.
const cases = dispatcherConformance("store", make, { ...withoutProcesses, ...withoutRestart });

/** It waits for more than ten seconds. */
const isLong = ({ name }: { name: string }) => name.startsWith("wakes after runs that ended, stopped and failed");

/** The kit's cases: those that take long, and all others. */
export const longCases = cases.filter(isLong);
export const otherCases = cases.filter((one) => !isLong(one));
