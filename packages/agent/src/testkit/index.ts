export type { CaseReport, CaseStatus, ConformanceReport, Declarations } from "@cogency/protocol/testkit";
export { ConformanceError } from "@cogency/protocol/testkit";
export type { ConformanceCase, MakeHarness } from "./conformance.ts";
export { driverConformance, runDriverConformance } from "./conformance.ts";
export {
  withoutBatches,
  withoutCalls,
  withoutDeltas,
  withoutNative,
  withoutRefusals,
  withoutTextBesideCalls,
  withoutThinking,
} from "./declarations.ts";
export type { DriverHarness, DriverReply } from "./harness.ts";
