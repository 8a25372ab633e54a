export type { Changes } from "./adapter/changes.ts";
export { createChanges } from "./adapter/changes.ts";
export { checkedStore } from "./adapter/checked-store.ts";
export { claimLimits } from "./adapter/claim-limits.ts";
export { cleanEvents } from "./adapter/clean-events.ts";
export type { EventRow } from "./adapter/event-rows.ts";
export { eventRows } from "./adapter/event-rows.ts";
export { finiteTime } from "./adapter/finite-time.ts";
export type { FollowedLog } from "./adapter/follow-log.ts";
export { followLog } from "./adapter/follow-log.ts";
export type { SlotOperations } from "./adapter/held-slot.ts";
export { heldSlot, slotLimits } from "./adapter/held-slot.ts";
export { maxStoredBytes } from "./adapter/json-size.ts";
export { leaseTtl } from "./adapter/lease-ttl.ts";
export { loadCount } from "./adapter/load-count.ts";
export type { LogSummary } from "./adapter/log-summary.ts";
export { extendSummary } from "./adapter/log-summary.ts";
export { messageText } from "./adapter/message-text.ts";
export { positiveCount } from "./adapter/positive-count.ts";
export { profileText } from "./adapter/profile-text.ts";
export { takenIds } from "./adapter/taken-ids.ts";
export type { Title } from "./adapter/title.ts";
export { titleOf } from "./adapter/title.ts";
export type { WatchedConversation } from "./adapter/watch-conversation.ts";
export { watchConversation } from "./adapter/watch-conversation.ts";
export type { DueLook, DueSource } from "./adapter/watch-due.ts";
export { watchDue } from "./adapter/watch-due.ts";
export { wholeCount } from "./adapter/whole-count.ts";
export type { StoreErrorCode } from "./errors.ts";
export {
  ConflictError,
  InvalidEventError,
  isConflictError,
  isInvalidEventError,
  isLeaseHeldError,
  isLeaseLostError,
  isStoreError,
  LeaseHeldError,
  LeaseLostError,
  MessageConflictError,
  StoreError,
} from "./errors.ts";
export type { Message, MessageContent, PostOptions, StoredMessage, WakeScope, WatchOptions } from "./inbox.ts";
export type { Key } from "./key.ts";
export type { Extension, ExtensionAnswer, Grant, GrantedLeases, LeaseOperations } from "./lease/granted-leases.ts";
export { grantedLeases } from "./lease/granted-leases.ts";
export type { LeaseKeeper } from "./lease/keep-leases.ts";
export { keepLeases } from "./lease/keep-leases.ts";
export type { MemoryStoreOptions } from "./memory/memory-store.ts";
export { isVolatile, memoryStore } from "./memory/volatile.ts";
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
  Lease,
  LeaseOptions,
  LoadOptions,
  Match,
  Renewal,
  SaveProfileOptions,
  SearchOptions,
  Store,
  StoredEvent,
  StoredProfile,
} from "./store.ts";
export type {
  Claim,
  ClaimOptions,
  Deferred,
  Parked,
  Slot,
  SlotOptions,
  StandingClaim,
  WakeOptions,
  WakeQueue,
  Wakes,
  WatchWakesOptions,
} from "./wakes.ts";
