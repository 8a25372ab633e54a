export { CONTINUE, missingResults, toMessages } from "./assemble.ts";
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
export type {
  AssistantMessage,
  MessageForm,
  ModelMessage,
  NativeBlocks,
  ToolMessage,
  UserMessage,
} from "./message.ts";
export type { ParseOptions } from "./parse.ts";
export { parse, parseSync } from "./parse.ts";
export type { Parser, ParserEvent, ParserOptions } from "./parser.ts";
export { createParser } from "./parser.ts";
export { ParserStream } from "./parser-stream.ts";
export { protocolPrompt } from "./prompt.ts";
export type { Dialect } from "./serialize.ts";
export { callOf, formatCalls, formatResults, formatThink, parseResults } from "./serialize.ts";
export type { Settler } from "./settle.ts";
export { createSettler, settle } from "./settle.ts";
export type { ToolCall, ToolResult, ToolSpec } from "./tool.ts";
export { UnitWriter } from "./unit-writer.ts";
export type { FinishReason, Usage } from "./usage.ts";
