export type { CaseReport, CaseStatus, ConformanceReport, Declarations } from "@cogency/protocol/testkit";
export { ConformanceError } from "@cogency/protocol/testkit";
export { withoutProcesses, withoutReopen } from "./declarations.ts";
export { everyKind } from "./samples/events.ts";
export type { ConformanceCase, MakeStore } from "./store-conformance.ts";
export { runStoreConformance, storeConformance } from "./store-conformance.ts";
export type { Elsewhere, OpenElsewhere, StoreUnderTest } from "./tested-store.ts";
