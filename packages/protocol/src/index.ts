export type { RunEvent } from "./activity.ts";
export type { Attachment } from "./attachment.ts";
export { callOf } from "./call-content.ts";
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
export type { AssemblyOptions } from "./messages/assemble.ts";
export { createAssembler, missingResults, toMessages } from "./messages/assemble.ts";
export type { Assembler } from "./messages/assembler.ts";
export type { ParseOptions } from "./parse/parse.ts";
export { parse, parseSync } from "./parse/parse.ts";
export type { Parser, ParserEvent, ParserOptions } from "./parse/parser.ts";
export { createParser } from "./parse/parser.ts";
export { ParserStream } from "./parse/parser-stream.ts";
export { settle } from "./parse/settle.ts";
export { parseResults } from "./results.ts";
export type { ToolCall, ToolResult, ToolSpec } from "./tool.ts";
export type { FinishReason, Usage } from "./usage.ts";
export { formatCalls, formatResults, formatThink } from "./write/blocks.ts";
export { protocolPrompt } from "./write/prompt.ts";
