export { cleanEvents } from "./clean-events.ts";
export type { StoreErrorCode } from "./errors.ts";
export { ConflictError, InvalidEventError, StoreError } from "./errors.ts";
export type { EventRow } from "./event-rows.ts";
export { eventRows } from "./event-rows.ts";
export type { LogSummary } from "./log-summary.ts";
export { extendSummary } from "./log-summary.ts";
export { memoryStore } from "./memory-store.ts";
export type {
  AppendOptions,
  ConversationSummary,
  ConversationsOptions,
  Key,
  LoadOptions,
  Store,
  StoredEvent,
} from "./store.ts";
export { wholeCount } from "./whole-count.ts";
