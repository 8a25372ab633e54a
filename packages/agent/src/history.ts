export { type Compacted, type CompactNowOptions, compactNow } from "./history/compact-now.ts";
export { compaction } from "./history/compaction.ts";
export type { CompactionOptions } from "./history/compaction-settings.ts";
export { type ContextParts, contextParts, type MessagePartName } from "./history/context-parts.ts";
export type { LearnedWindow } from "./history/context-window.ts";
export type { History, NextRequest, OwnAnswer, RoomMade } from "./history/history.ts";
export { type SlidingWindowOptions, slidingWindow } from "./history/sliding-window.ts";
export { transform } from "./history/transform.ts";
export { undoCompaction } from "./history/undo-compaction.ts";
