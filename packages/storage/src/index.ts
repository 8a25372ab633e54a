export { maxStoredBytes } from "./adapter/json-size.ts";
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
export type { InboxMessage, MessageContent, StoredMessage } from "./inbox.ts";
export type { Key } from "./key.ts";
export type { LeaseKeeper } from "./lease/keep-leases.ts";
export { keepLeases } from "./lease/keep-leases.ts";
export type { Live, LivePublisher } from "./live.ts";
export type { MemoryStoreOptions } from "./memory/memory-store.ts";
export { memoryStore } from "./memory/memory-store.ts";
export type { Redact } from "./redact/redact-event.ts";
export { redactEvent } from "./redact/redact-event.ts";
export { redactSecrets } from "./redact/redact-secrets.ts";
export { redactingStore } from "./redact/redacting-store.ts";
export { redactionMark } from "./redact/redaction-mark.ts";
export type { ConversationSummary, Lease, Match, Renewal, Store, StoredEvent, StoredProfile } from "./store.ts";
export type { Claim, Deferred, Parked, Slot, StandingClaim, WakeQueue, Wakes } from "./wakes.ts";
