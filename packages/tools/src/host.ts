export { answerStatement } from "./approval/answer-statement.ts";
export type { ApprovalRecord } from "./approval/approval.ts";
export { argumentsHash, canonicalJson, sha256 } from "./approval/canonical-json.ts";
export type { Statement } from "./approval/key-ring.ts";
export { processKeyRing } from "./approval/key-ring.ts";
export { mintCallId } from "./batch/call-id.ts";
export { mostCalls } from "./batch/create-batch.ts";
export { readOnlyState } from "./batch/read-only-state.ts";
export { CallLeft } from "./call-left.ts";
export { checkIsTool } from "./check-is-tool.ts";
export { checkedClientTools } from "./client/checked-client-tools.ts";
export { clientTool } from "./client/client-tool.ts";
export { hookContractError, hookFailedError } from "./errors.ts";
export type { ResultLimit } from "./execution.ts";
export type { BatchOptions, BegunCall, Journal } from "./executor.ts";
export { defaultToolTimeout } from "./executor-options.ts";
export { executorTable } from "./executor-table.ts";
export type { EffectFields } from "./hooks/hook-contract.ts";
export { breachOf, runEffectFields } from "./hooks/hook-contract.ts";
export { hooksOf } from "./hooks/hooks-of.ts";
export type {
  AfterToolUseEffect,
  BeforeToolUseEffect,
  HookContext,
  HookTrigger,
  MetadataPatch,
} from "./hooks/tool-hook.ts";
export type { LoggedCall } from "./logged-call.ts";
export type { Observer, ToolEvent } from "./observer.ts";
export type { AnswerSchema } from "./questions/answer-schema.ts";
export { answerSchema } from "./questions/answer-schema.ts";
export type { RemoteAnswer, RemoteAnswers } from "./questions/answers.ts";
export type { AnswerRecord, QuestionRecord } from "./questions/question-record.ts";
export type { AttachmentLimits } from "./result/checked-attachments.ts";
export { attachmentBytes, checkedAttachments } from "./result/checked-attachments.ts";
export type { KeptParts, PartKey } from "./result/kept-parts.ts";
export type { ReadResultOptions } from "./result/read-result-tool.ts";
export { toJson } from "./result/to-json.ts";
export { wholeResult } from "./result/tool-result.ts";
export type { InferAnswer } from "./schema/infer-args.ts";
export { jsonSchemaCheck } from "./schema/json-schema-validator.ts";
export { schemaProblem } from "./schema/schema-problem.ts";
export { withoutCostly } from "./schema/without-costly.ts";
export type { StopReason, StopSignal } from "./stop-run.ts";
export { isForcedStop, strongestStop } from "./stop-run.ts";
export type { Resource, VerifyContext } from "./tool.ts";
export type { ToolChanges } from "./tool-changes.ts";
export type { Validation } from "./validation.ts";
