export type { ConformanceCase, MakeHarness } from "./conformance.ts";
export { providerConformance, runProviderConformance } from "./conformance.ts";
export { ConformanceError } from "./conformance-error.ts";
export type { CaseReport, CaseStatus, ConformanceReport } from "./conformance-report.ts";
export {
  withoutEventStream,
  withoutFailure,
  withoutFormat,
  withoutNative,
  withoutReasoning,
  withoutReply,
  withoutTools,
  withoutWire,
} from "./declarations.ts";
export type {
  Declarations,
  LocalHarness,
  ModelReply,
  ProviderHarness,
  ReplyPart,
  Wire,
  WireAddress,
  WireHarness,
} from "./harness.ts";
export { recordFetch } from "./recording/recording.ts";
export type { Replay, ReplayOptions } from "./recording/replay.ts";
export { replayFetch } from "./recording/replay.ts";
export type { Exchange, Piece, RecordedResponse, Transcript } from "./recording/transcript.ts";
export type { PiecesOptions, WireAnswer, WireExchange, WireRequest, WireServer } from "./wire-server.ts";
export { inPieces, startWireServer } from "./wire-server.ts";
