import { memoryStore } from "../../src/memory/memory-store.ts";
import { storeConformance, withoutProcesses, withoutReopen } from "../../src/testkit/index.ts";

const make = async () => ({ store: memoryStore() });
const cases = storeConformance("memory", make, { ...withoutReopen, ...withoutProcesses });

/** Moving megabytes takes long. */
const isBig = ({ name }: { name: string }) => /ten megabytes|100,000,000 bytes/.test(name);

/** The kit's cases for a store in memory: those that take long, and all others. */
export const bigMemoryCases = cases.filter(isBig);
export const memoryCases = cases.filter((one) => !isBig(one));
