export { beforeBlocks } from "./adapter/before-blocks.ts";
export type { Changes } from "./adapter/changes.ts";
export { createChanges } from "./adapter/changes.ts";
export {
  claimLimits,
  finiteTime,
  leaseTtl,
  loadCount,
  slotLimits,
  takenIds,
  wholeCount,
} from "./adapter/checked-numbers.ts";
export { checkedStore } from "./adapter/checked-store.ts";
export { cleanEvents } from "./adapter/clean-events.ts";
export type { EventRow } from "./adapter/event-rows.ts";
export { eventRows } from "./adapter/event-rows.ts";
export type { FollowedLog } from "./adapter/follow-log.ts";
export { followLog } from "./adapter/follow-log.ts";
export type { SlotOperations } from "./adapter/held-slot.ts";
export { heldSlot } from "./adapter/held-slot.ts";
export { leavable } from "./adapter/leavable.ts";
export type { LiveHub, LiveLink } from "./adapter/live-hub.ts";
export { liveHub } from "./adapter/live-hub.ts";
export type { LogSummary } from "./adapter/log-summary.ts";
export { extendSummary } from "./adapter/log-summary.ts";
export { messageText } from "./adapter/message-text.ts";
export { profileText } from "./adapter/profile-text.ts";
export type { Title } from "./adapter/title.ts";
export { titleOf } from "./adapter/title.ts";
export type { WatchedConversation } from "./adapter/watch-conversation.ts";
export { watchConversation } from "./adapter/watch-conversation.ts";
export type { DueLook, DueSource } from "./adapter/watch-due.ts";
export { watchDue } from "./adapter/watch-due.ts";
export { beginsTurn } from "./begins-turn.ts";
export type { NoticeContent, PostOptions, WakeScope, WatchOptions } from "./inbox.ts";
export type { ExtensionAnswer, Grant, GrantedLeases, LeaseExtension, LeaseOperations } from "./lease/granted-leases.ts";
export { grantedLeases } from "./lease/granted-leases.ts";
export type { LiveOptions } from "./live.ts";
export { isVolatile } from "./memory/memory-store.ts";
export type { Passage } from "./search/passages.ts";
export { passagesOf, passageTypes } from "./search/passages.ts";
export type { MatchCandidate } from "./search/rank-matches.ts";
export { rankMatches } from "./search/rank-matches.ts";
export { searchTokens } from "./search/search-tokens.ts";
export type { SearchWord } from "./search/words.ts";
export { searchWords } from "./search/words.ts";
export type {
  AppendOptions,
  ConversationsOptions,
  FollowOptions,
  LeaseOptions,
  LoadOptions,
  SaveProfileOptions,
  SearchOptions,
} from "./store.ts";
export type { ClaimOptions, SlotOptions, TimerOptions, WatchWakesOptions } from "./wakes.ts";
