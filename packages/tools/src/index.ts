export type { Approval, ApprovalAnswer, ApprovalDecision, ApprovalRequest } from "./approval.ts";
export type { ExecutorOptions } from "./create-executor.ts";
export { createExecutor } from "./create-executor.ts";
export type { ToolDefinition } from "./define-tool.ts";
export { defineTool } from "./define-tool.ts";
export type { ToolDefinitionCode } from "./errors.ts";
export {
  BatchClosedError,
  JournalStalledError,
  ToolArgumentsError,
  ToolCancelledError,
  ToolDefinitionError,
  ToolDeniedError,
  ToolThrewError,
  ToolTimeoutError,
  UnknownToolError,
} from "./errors.ts";
export type { ToolExecution } from "./execution.ts";
export type { Batch, BatchContext, BatchOptions, Executor, Journal } from "./executor.ts";
export type { InferArgs, ToolInput } from "./infer-args.ts";
export { nearestNames } from "./nearest-names.ts";
export type { Observer, ToolEvent } from "./observer.ts";
export type { Registry } from "./registry.ts";
export { createRegistry } from "./registry.ts";
export type { Issue, Validation } from "./schema.ts";
export { NotJsonError, toJson } from "./to-json.ts";
export type { Resource, Tool, ToolAnnotations, ToolContext, ToolState } from "./tool.ts";
export { toToolResult } from "./tool-result.ts";
