// Types that `defineTool` infers: a program that exports a tool must be able to name them.
export type { Attachment, Json, JsonObject, ToolCall } from "@cogency/protocol";
export type {
  Approval,
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalPolicy,
  ApprovalRequest,
  ApprovalRules,
  Concern,
} from "./approval/approval.ts";
export { definitionHash } from "./approval/definition-hash.ts";
export type { KeyRing } from "./approval/key-ring.ts";
export { createKeyRing } from "./approval/key-ring.ts";
export { createExecutor } from "./create-executor.ts";
export type { ToolDefinition } from "./define-tool.ts";
export { defineTool } from "./define-tool.ts";
export type { ToolErrorCode, ToolErrorData } from "./errors.ts";
export { isToolError, ToolError } from "./errors.ts";
export type { ToolExecution } from "./execution.ts";
export type { Batch, BatchContext, Executor } from "./executor.ts";
export type { ExecutorOptions } from "./executor-options.ts";
export type { AfterToolUse, BeforeToolUse, ToolHook } from "./hooks/tool-hook.ts";
export type { AnswerRequest } from "./questions/answers.ts";
export type { Question } from "./questions/question.ts";
export type { Registry } from "./registry.ts";
export { createRegistry } from "./registry.ts";
export { readResultTool } from "./result/read-result-tool.ts";
export { toToolResult } from "./result/tool-result.ts";
export type { AttachedValue } from "./result/with-attachments.ts";
export { withAttachments } from "./result/with-attachments.ts";
export type { CallArgs } from "./schema/call-args.ts";
export type { InferArgs, ToolInput } from "./schema/infer-args.ts";
export { StopRun } from "./stop-run.ts";
export type { CallOf, CallOutcome, Content, Tool, ToolAnnotations, ToolContext, ToolState } from "./tool.ts";
export type { ToolSource } from "./tool-source.ts";
export type { Issue } from "./validation.ts";
