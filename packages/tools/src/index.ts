// Types that `defineTool` infers: a program that exports a tool must be able to name them.
export type { Attachment, Json, JsonObject, ToolCall } from "@cogency/protocol";
export { nearestNames } from "@cogency/protocol/options";
export { answerStatement } from "./approval/answer-statement.ts";
export type {
  Approval,
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalPolicy,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalRules,
  Concern,
} from "./approval/approval.ts";
export { canonicalJson } from "./approval/canonical-json.ts";
export { argumentsHash, sha256 } from "./approval/hash-arguments.ts";
export type { KeyRing, Statement } from "./approval/key-ring.ts";
export { createKeyRing, processKeyRing } from "./approval/key-ring.ts";
export { mintCallId } from "./batch/call-id.ts";
export { mostCalls } from "./batch/create-batch.ts";
export { readOnlyState } from "./batch/read-only-state.ts";
export { createExecutor } from "./create-executor.ts";
export type { ToolDefinition } from "./define-tool.ts";
export { defineTool } from "./define-tool.ts";
export type { ToolDefinitionCode } from "./errors.ts";
export {
  BatchClosedError,
  JournalStalledError,
  OutcomeUnknownError,
  ToolArgumentsError,
  ToolBlockedError,
  ToolCancelledError,
  ToolDefinitionError,
  ToolDeniedError,
  ToolError,
  ToolQuestionError,
  ToolSkippedError,
  ToolThrewError,
  ToolTimeoutError,
  UnknownToolError,
} from "./errors.ts";
export type { ResultLimit, ToolExecution } from "./execution.ts";
export type { Batch, BatchContext, BatchOptions, BegunCall, Executor, Journal } from "./executor.ts";
export type { ExecutorOptions } from "./executor-options.ts";
export { defaultToolTimeout } from "./executor-options.ts";
export { executorTable } from "./executor-table.ts";
export type { EffectFields, HookChecks } from "./hooks/hook-contract.ts";
export { breachOf, runEffectFields } from "./hooks/hook-contract.ts";
export { HookContractError, HookFailedError } from "./hooks/hook-errors.ts";
export { hooksOf } from "./hooks/hooks-of.ts";
export type {
  AfterToolUse,
  AfterToolUseEffect,
  BeforeToolUse,
  BeforeToolUseEffect,
  HookContext,
  HookTrigger,
  MetadataPatch,
  ToolHook,
} from "./hooks/tool-hook.ts";
export type { LoggedCall } from "./logged-call.ts";
export type { Observer, ToolEvent } from "./observer.ts";
export { type AnswerSchema, answerSchema } from "./questions/answer-schema.ts";
export type { AnswerRequest, RemoteAnswer, RemoteAnswers } from "./questions/answers.ts";
export type { Question } from "./questions/question.ts";
export type { AnswerRecord, QuestionRecord } from "./questions/question-record.ts";
export type { Registry } from "./registry.ts";
export { createRegistry } from "./registry.ts";
export type { AttachmentLimits } from "./result/checked-attachments.ts";
export { attachmentBytes, checkedAttachments } from "./result/checked-attachments.ts";
export { ResultOffsetError, readResultTool, UnknownResultError } from "./result/read-result-tool.ts";
export { NotJsonError, toJson } from "./result/to-json.ts";
export { toToolResult, wholeResult } from "./result/tool-result.ts";
export type { AttachedValue } from "./result/with-attachments.ts";
export { withAttachments } from "./result/with-attachments.ts";
export type { CallArgs } from "./schema/call-args.ts";
export type { InferAnswer, InferArgs, ToolInput } from "./schema/infer-args.ts";
export type { StopReason, StopSignal } from "./stop-run.ts";
export { isForcedStop, isStopRun, StopRun, strongestStop } from "./stop-run.ts";
export type {
  CallOf,
  CallOutcome,
  Content,
  Resource,
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolState,
  VerifyContext,
} from "./tool.ts";
export type { Issue, Validation } from "./validation.ts";
