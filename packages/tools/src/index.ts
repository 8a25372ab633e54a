export type {
  Approval,
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalPolicy,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalRules,
} from "./approval.ts";
export { canonicalJson } from "./canonical-json.ts";
export type { ExecutorOptions } from "./create-executor.ts";
export { createExecutor } from "./create-executor.ts";
export type { ToolDefinition } from "./define-tool.ts";
export { defineTool } from "./define-tool.ts";
export type { ToolDefinitionCode } from "./errors.ts";
export {
  BatchClosedError,
  HookContractError,
  HookFailedError,
  JournalStalledError,
  ToolArgumentsError,
  ToolBlockedError,
  ToolCancelledError,
  ToolDefinitionError,
  ToolDeniedError,
  ToolError,
  ToolSkippedError,
  ToolThrewError,
  ToolTimeoutError,
  UnknownToolError,
} from "./errors.ts";
export type { ResultLimit, ToolExecution } from "./execution.ts";
export type { Batch, BatchContext, BatchOptions, Executor, Journal } from "./executor.ts";
export { argumentsHash } from "./hash-arguments.ts";
export type { HookChecks } from "./hook-runner.ts";
export type { InferArgs, ToolInput } from "./infer-args.ts";
export { nearestNames } from "./nearest-names.ts";
export type { Observer, ToolEvent } from "./observer.ts";
export { readResultTool } from "./read-result-tool.ts";
export type { Registry } from "./registry.ts";
export { createRegistry } from "./registry.ts";
export type { Issue, Validation } from "./schema.ts";
export type { StopReason, StopSignal } from "./stop-run.ts";
export { isForcedStop, StopRun, strongestStop } from "./stop-run.ts";
export { NotJsonError, toJson } from "./to-json.ts";
export type { Resource, Tool, ToolAnnotations, ToolContext, ToolState } from "./tool.ts";
export type {
  AfterToolUse,
  AfterToolUseEffect,
  BeforeToolUse,
  BeforeToolUseEffect,
  HookTrigger,
  MetadataPatch,
  ToolHook,
} from "./tool-hook.ts";
export { toToolResult, wholeResult } from "./tool-result.ts";
