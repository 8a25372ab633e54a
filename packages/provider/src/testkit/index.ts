export type { CaseReport, CaseStatus, ConformanceReport, Declarations } from "@cogency/protocol/testkit";
export { ConformanceError } from "@cogency/protocol/testkit";
export type { ConformanceCase, MakeHarness } from "./conformance.ts";
export { providerConformance, runProviderConformance } from "./conformance.ts";
export {
  withoutAttachments,
  withoutEventStream,
  withoutFailure,
  withoutFormat,
  withoutNative,
  withoutReasoning,
  withoutReply,
  withoutThinking,
  withoutTools,
  withoutWire,
} from "./declarations.ts";
export type {
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
