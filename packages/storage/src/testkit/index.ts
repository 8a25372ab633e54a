export { ConformanceError } from "./conformance-error.ts";
export type { CaseReport, CaseStatus, ConformanceReport } from "./conformance-report.ts";
export { withoutProcesses, withoutReopen } from "./declarations.ts";
export type { ConformanceCase, MakeStore } from "./store-conformance.ts";
export { runStoreConformance, storeConformance } from "./store-conformance.ts";
export type { Declarations, Elsewhere, OpenElsewhere, StoreUnderTest } from "./tested-store.ts";
