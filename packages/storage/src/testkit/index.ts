export type { ConformanceCase, StoreUnderTest } from "./store-conformance.ts";
export { storeConformance } from "./store-conformance.ts";
