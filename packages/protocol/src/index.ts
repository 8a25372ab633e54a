export type {
  ActivityEvent,
  QuestionActivity,
  RequestActivity,
  RunActivity,
  RunEvent,
  RunPlace,
  StateActivity,
  ToolActivity,
} from "./activity.ts";
export type { Attachment } from "./attachment.ts";
export { callOf } from "./call-content.ts";
export { brandErrors, hasErrorBrand } from "./error-brand.ts";
export type {
  AgentEvent,
  CallDeltaEvent,
  CallEvent,
  CancelledEvent,
  EndEvent,
  ErrorEvent,
  ExecuteEvent,
  InterruptEvent,
  LogEvent,
  Measure,
  MetricEvent,
  ParseErrorCode,
  Persisted,
  PersistedType,
  Proof,
  RecordContent,
  RecordEvent,
  RecordKind,
  RespondEvent,
  ResultEvent,
  ResultPayload,
  ThinkEvent,
  UserEvent,
} from "./events.ts";
export { isPersisted } from "./events.ts";
export type { Json, JsonObject, JsonSchema } from "./json.ts";
export { logEventProblem } from "./log-event-problem.ts";
export type {
  AssistantMessage,
  Dialect,
  MessageForm,
  MessagePart,
  ModelMessage,
  NativeBlocks,
  ToolMessage,
  UserMessage,
} from "./message.ts";
export type { Assembler, AssemblyOptions } from "./messages/assemble.ts";
export { CONTINUE, createAssembler, missingResults, OUTCOME_UNKNOWN, toMessages } from "./messages/assemble.ts";
export type { ModelJson, ModelJsonFault, ModelJsonOptions } from "./parse/model-json.ts";
export { readModelJson } from "./parse/model-json.ts";
export type { ParseOptions } from "./parse/parse.ts";
export { parse, parseSync } from "./parse/parse.ts";
export type { Parser, ParserEvent, ParserOptions } from "./parse/parser.ts";
export { createParser } from "./parse/parser.ts";
export { ParserStream } from "./parse/parser-stream.ts";
export type { Settler } from "./parse/settle.ts";
export { createSettler, settle } from "./parse/settle.ts";
export { UnitWriter } from "./parse/unit-writer.ts";
export { parseResults } from "./results.ts";
export type { ToolCall, ToolResult, ToolSpec } from "./tool.ts";
export type { FinishReason, Usage } from "./usage.ts";
export type { DialectOptions } from "./write/blocks.ts";
export { formatCalls, formatResults, formatThink } from "./write/blocks.ts";
export { protocolPrompt } from "./write/prompt.ts";
