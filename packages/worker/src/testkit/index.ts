export type { CaseReport, CaseStatus, ConformanceReport, Declarations } from "@cogency/protocol/testkit";
export { ConformanceError } from "@cogency/protocol/testkit";
export type { Need } from "./case.ts";
export { withoutProcesses, withoutRestart } from "./declarations.ts";
export type { ConformanceCase, MakeDispatcher } from "./dispatcher-conformance.ts";
export { dispatcherConformance, runDispatcherConformance } from "./dispatcher-conformance.ts";
export { serveWorker } from "./process/serve-worker.ts";
export type { DispatcherUnderTest, Elsewhere, OpenElsewhere, OpenedDispatcher } from "./tested-dispatcher.ts";
