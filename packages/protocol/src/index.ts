export type {
  AgentEvent,
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
export type { AssistantMessage, ModelMessage, ToolMessage, UserMessage } from "./message.ts";
export type { ToolCall, ToolResult, ToolSpec } from "./tool.ts";
export type { FinishReason, Usage } from "./usage.ts";
