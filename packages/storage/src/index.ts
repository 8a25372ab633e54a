export type { Changes } from "./changes.ts";
export { createChanges } from "./changes.ts";
export { cleanEvents } from "./clean-events.ts";
export type { StoreErrorCode } from "./errors.ts";
export { ConflictError, InvalidEventError, LeaseHeldError, LeaseLostError, StoreError } from "./errors.ts";
export type { EventRow } from "./event-rows.ts";
export { eventRows } from "./event-rows.ts";
export type { FollowedLog } from "./follow-log.ts";
export { followLog } from "./follow-log.ts";
export { leaseTtl } from "./lease-ttl.ts";
export { loadCount } from "./load-count.ts";
export type { LogSummary } from "./log-summary.ts";
export { extendSummary } from "./log-summary.ts";
export type { MemoryStoreOptions } from "./memory-store.ts";
export { memoryStore } from "./memory-store.ts";
export { profileText } from "./profile-text.ts";
export type { Redact } from "./redact/redact-event.ts";
export { redactEvent } from "./redact/redact-event.ts";
export { redactSecrets } from "./redact/redact-secrets.ts";
export { redactingStore } from "./redact/redacting-store.ts";
export { redactionMark } from "./redact/redaction-mark.ts";
export type { Passage } from "./search/passages.ts";
export { passagesOf, passageTypes } from "./search/passages.ts";
export type { MatchCandidate } from "./search/rank-matches.ts";
export { rankMatches } from "./search/rank-matches.ts";
export { searchTokens } from "./search/search-tokens.ts";
export type { SearchWord } from "./search/words.ts";
export { searchWords } from "./search/words.ts";
export type {
  AppendOptions,
  ConversationSummary,
  ConversationsOptions,
  FollowOptions,
  Key,
  Lease,
  LeaseOptions,
  LoadOptions,
  Match,
  SaveProfileOptions,
  SearchOptions,
  Store,
  StoredEvent,
  StoredProfile,
} from "./store.ts";
export { wholeCount } from "./whole-count.ts";
