// One import for the common case. A program that exports an agent or a tool must be able to name the types that are inferred.
export type { Attachment, Json, JsonObject, RunEvent, ToolCall } from "@cogency/protocol";
export type { AttachedValue, CallOf, Tool } from "@cogency/tools";
export { defineTool, withAttachments } from "@cogency/tools";
export type { Agent } from "./agent.ts";
export type {
  AgentLeaseOptions,
  AgentOptions,
  AttachmentOptions,
  Budget,
  ConversationBudget,
  ExecutionOptions,
  LimitReached,
  ObjectOptions,
  RecoverOptions,
  RunOptions,
  RunPrompt,
} from "./agent-options.ts";
export type { QuestionError } from "./batch/question-errors.ts";
export type { UnknownCall } from "./batch/unknown-calls.ts";
export type { Capability } from "./capability.ts";
export { createAgent } from "./create-agent.ts";
export type { ProtocolDriverOptions } from "./drivers/protocol-driver.ts";
export { protocolDriver } from "./drivers/protocol-driver.ts";
export type { OpenQuestion } from "./ending.ts";
export type { RunErrorCode } from "./errors.ts";
export { isRunError, RunError } from "./errors.ts";
export type { ForkOptions } from "./fork.ts";
export type { History } from "./history/history.ts";
export type { AgentHook } from "./hooks/agent-hook.ts";
export type { SendOptions } from "./inbox/send.ts";
export type { SweepOptions } from "./inbox/sweep.ts";
export type { ObjectResult, ObjectRun, PartialOf } from "./object/object-run.ts";
export type { CompletedRun, FailedRun, Run, RunResult, StoppedRun, WaitingRun } from "./run.ts";
export type { RunListener, TraceOf } from "./timeline/listeners.ts";
