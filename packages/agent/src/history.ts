export { type CompactionOptions, compaction } from "./history/compaction.ts";
export type { History, NextRequest, OwnAnswer, RoomMade } from "./history/history.ts";
